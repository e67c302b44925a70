// The frame of the service's own pages, which have no scripts. Their style is a file of its own (docs-style.ts), since the policy
// lets no other in.

import { type Html, html } from '../../html.ts';

export const STYLE_PATH = '/docs.css';

export function htmlDocument(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
${body}
</body>
</html>
`.text;
}
