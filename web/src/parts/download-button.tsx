// A file of the service to take away. A plain link where the service is open; with a token, which no link can send, the page
// fetches it.

import { useState } from 'preact/hooks';
import { asProblem, problemOf } from '../api/problem.ts';
import { authorization } from '../api/request.ts';
import { tellFault } from '../state/notices.ts';
import { preferences } from '../state/preferences.ts';
import { useStore } from '../store.ts';
import { Icon } from './icon.tsx';

interface DownloadButtonProps {
  readonly address: string;
  /** What the file is called. */
  readonly file: string;
  readonly name: string;
}

export function DownloadButton({ address, file, name }: DownloadButtonProps) {
  const hasToken = useStore(preferences, ({ token }) => token !== '');
  const [isLoading, setLoading] = useState(false);
  const take = async () => {
    setLoading(true);
    try {
      await download(address, file);
    } catch (error) {
      const problem = asProblem(error);
      tellFault(problem, { text: `${file} could not be downloaded: ${problem.detail}` });
    }
    setLoading(false);
  };
  if (hasToken) {
    return (
      <button type="button" disabled={isLoading} onClick={() => void take()}>
        <Icon name="download" />
        {name}
      </button>
    );
  }
  return (
    <a class="button" href={address} download={file}>
      <Icon name="download" />
      {name}
    </a>
  );
}

async function download(address: string, file: string): Promise<void> {
  const response = await fetch(address, { headers: authorization() });
  if (!response.ok) throw await problemOf(response);
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
