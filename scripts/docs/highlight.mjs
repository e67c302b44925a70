// The colours of code: comments, strings, keywords, and what a person types at a prompt. Small on purpose: the examples are short.
// @ts-check

const KEYWORDS =
  /^(?:import|from|export|const|let|await|async|new|return|if|else|for|of|in|function|throw|class|interface|type|extends|readonly|declare)$/;
const CODE =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|([A-Za-z_$][\w$]*)|([\s\S])/g;

/**
 * @param {string} code
 * @param {string} language
 * @returns {string} HTML
 */
export function highlighted(code, language) {
  if (/^(js|ts|json)$/.test(language)) return coloured(code);
  if (/^(sh|console)$/.test(language)) return code.split('\n').map(shellLine).join('\n');
  return escaped(code);
}

/** @param {string} code */
function coloured(code) {
  return code.replace(CODE, (whole, comment, text, word) => {
    if (comment !== undefined) return mark('comment', whole);
    if (text !== undefined) return mark('string', whole);
    return word !== undefined && KEYWORDS.test(word) ? mark('keyword', whole) : escaped(whole);
  });
}

/** @param {string} line */
function shellLine(line) {
  if (/^\s*#/.test(line)) return mark('comment', line);
  const [, before, comment] = /^(.*?)(\s#\s.*)?$/.exec(line) ?? ['', line];
  const [, prompt = '', rest = ''] = /^(\$ )?(.*)$/.exec(before) ?? [];
  return `${prompt === '' ? '' : mark('prompt', prompt)}${escaped(rest)}${comment === undefined ? '' : mark('comment', comment)}`;
}

/**
 * @param {string} kind
 * @param {string} text
 */
function mark(kind, text) {
  return `<span class="${kind}">${escaped(text)}</span>`;
}

/** @param {string} text */
export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
