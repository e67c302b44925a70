// LaTeX as people write it in bibliographies, as plain text: accents and special letters as Unicode, braces and commands gone, what
// they enclose kept.

/** Combining characters, by the command that puts them on a letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
  b: '\u0331',
};
const SYMBOLS = new Map(
  `ss=ß SS=ẞ ae=æ AE=Æ oe=œ OE=Œ o=ø O=Ø aa=å AA=Å l=ł L=Ł i=ı j=ȷ dh=ð DH=Ð th=þ TH=Þ dj=đ DJ=Đ ng=ŋ NG=Ŋ
    S=§ P=¶ copyright=© pounds=£ euro=€ texteuro=€ dots=… ldots=… textendash=– textemdash=— textquoteleft=‘ textquoteright=’
    textquotedblleft=“ textquotedblright=” guillemotleft=« guillemotright=» textbackslash=\\ textasciitilde=~ textasciicircum=^
    textunderscore=_ textdegree=° degree=° times=× cdot=· pm=± infty=∞ rightarrow=→ leq=≤ geq=≥ neq=≠ approx=≈ textregistered=® texttrademark=™
    alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ
    sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω`
    .split(/\s+/)
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
);
const DOTLESS: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };
// a command with the white space behind it, an escaped character, quotes, dashes, or one character
const TOKENS = /\\([a-zA-Z]+)\*?\s*|\\([\s\S])\s*|(``|''|---?)|([\s\S])/gu;
const JOINED: Readonly<Record<string, string>> = { '``': '“', "''": '”', '--': '–', '---': '—' };

export function latexText(text: string): string {
  if (!/[\\{}$~]|``|''|--/.test(text)) return text.replace(/\s+/g, ' ').trim();
  let out = '';
  let accent = ''; // waits for its letter
  const put = (character: string) => {
    out += accent === '' ? character : (DOTLESS[character] ?? character) + accent;
    accent = '';
  };
  for (const [whole, command, escaped, joint, character] of text.matchAll(TOKENS)) {
    if (command !== undefined) {
      const symbol = SYMBOLS.get(command);
      if (symbol !== undefined) put(symbol);
      else if (Object.hasOwn(ACCENTS, command)) accent = ACCENTS[command];
    } else if (escaped !== undefined) {
      if (Object.hasOwn(ACCENTS, escaped)) accent = ACCENTS[escaped];
      else put(/[\s\\,;:/!-]/.test(escaped) ? ' ' : whole.replace(/^\\/, ''));
    } else if (joint !== undefined) put(JOINED[joint]);
    else if (character === '}')
      accent = ''; // \'{} has no letter
    else if (character === '~') put(' ');
    else if (character !== '{' && character !== '$') put(character);
  }
  return out.normalize('NFC').replace(/\s+/g, ' ').trim();
}
