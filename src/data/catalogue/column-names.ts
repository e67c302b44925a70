// What people call the columns of a catalogue, in English and a few other languages. A name is compared without case, accents,
// spaces and punctuation; within a role, names that say it more clearly come first.

/** What a column of a catalogue is. */
export type ColumnRole = 'id' | 'title' | 'text' | 'tags' | 'url' | 'image';

const NAMES: Readonly<Record<ColumnRole, string>> = {
  id: `id object objectid itemid productid articleid postid bookid movieid documentid docid paperid recipeid gameid songid
    trackid videoid questionid pageid entryid sku asin handle slug uid uuid guid key isbn isbn13 ean gtin upc doi pmid arxivid
    code itemcode productcode articlenumber artikelnummer artikelnr artnr produktnummer identifier identificador kennung numero ref reference 编号 番号`,
  title: `title name headline heading producttitle producttitel productname itemname articletitle posttitle pagetitle booktitle
    papertitle displayname fullname titel bezeichnung artikelbezeichnung artikelname produktname ueberschrift uberschrift titre nom titulo nombre titolo nome naam nazwa
    tytul namn navn baslik название заголовок 标题 名称 名前 タイトル 제목`,
  text: `description desc longdescription shortdescription productdescription itemdescription bodyhtml body content contents text
    fulltext abstract summary overview plot synopsis details detail excerpt blurb intro lead teaser about bio story caption
    features specification specifications notes note comment comments message question answer review transcript lyrics
    ingredients instructions beschreibung kurzbeschreibung langbeschreibung
    artikelbeschreibung produktbeschreibung zusammenfassung inhalt texte resume contenu
    descripcion resumen contenido descrizione riassunto testo descricao resumo conteudo omschrijving opis beskrivning
    beskrivelse aciklama описание текст 描述 简介 内容 正文 説明 概要 本文 설명`,
  tags: `tags tag taglist tagnames usertags posttags producttags hashtags keywords keyword labels label topics topic subjects
    genres genre themes categories category productcategory productcategories schlagworte schlagworter schlagwoerter
    stichworte stichworter stichwoerter etiketten kategorien kategorie themen thema motscles motcle etiquettes
    etiquetas etiqueta palabrasclave categorias categoria etichette etichetta categorie parolechiave palavraschave trefwoorden
    slowakluczowe kategorie nyckelord etiketter теги метки категории 标签 关键词 分类 タグ カテゴリ キーワード 태그`,
  url: `url link permalink homepage website webpage href uri address producturl itemurl pageurl articleurl producturl weblink
    lien enlace ссылка 链接 リンク`,
  image: `image imageurl imagelink imagesrc img imgurl picture pictureurl photo photourl thumbnail thumbnailurl thumb cover
    coverurl coverimage poster posterurl mainimage featuredimage images bild bilder foto imagen immagine imagem afbeelding
    изображение 图片 画像`,
};

const ROLES = Object.keys(NAMES) as readonly ColumnRole[];
const RANKS = new Map<string, { readonly role: ColumnRole; readonly rank: number }>();
for (const role of ROLES) {
  for (const [rank, name] of NAMES[role].split(/\s+/).map(plainName).entries()) {
    if (!RANKS.has(name)) RANKS.set(name, { role, rank });
  }
}

/** A name as it is compared. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Scripts that write words without spaces: the last part of a compound says what it is. */
const UNSPACED = /^[\u3040-\u30ff\u3400-\u9fff]+$/;
const [DOUBT, DOUBT_ABOUT_TAGS] = [100, 10];

/**
 * What a name says about its column; undefined where it says nothing. The lower the rank, the clearer: from 100 on, the contents
 * must agree. Tags are less in doubt: "steamspy_tags" are rather tags than "genres" are.
 */
export function roleOfName(name: string): { readonly role: ColumnRole; readonly rank: number } | undefined {
  const whole = RANKS.get(plainName(name));
  if (whole !== undefined) return whole;
  const found = roleOfLastWords(name);
  if (found !== undefined)
    return { role: found.role, rank: found.rank + (found.role === 'tags' ? DOUBT_ABOUT_TAGS : DOUBT) };
  return /^\p{L}+id$/iu.test(name.trim()) ? { role: 'id', rank: 2 * DOUBT } : undefined; // appid, imdbID
}

/** "Product Title (EN)", "meta_description", "item.tags", "imageUrl", "商品名称": the last word that says something. */
function roleOfLastWords(name: string): { readonly role: ColumnRole; readonly rank: number } | undefined {
  const words = name
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  for (let length = Math.min(2, words.length - 1); length >= 1; length--) {
    const found = RANKS.get(plainName(words.slice(-length).join('')));
    if (found !== undefined) return found;
  }
  const last = words.at(-1) ?? '';
  if (!UNSPACED.test(last)) return undefined;
  for (let start = 0; start < last.length - 1; start++) {
    const found = RANKS.get(plainName(last.slice(start)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a cell is a name that columns have: then its row is a header. */
export function isKnownName(name: string): boolean {
  return RANKS.has(plainName(name)) || numberedTag(name) !== undefined;
}

/** tag1, tag_2, "Keyword 3", "Labels (2)": one tag of several columns; the name without its number. */
export function numberedTag(name: string): string | undefined {
  const found = /^(.*\p{L})[\s_.-]*[[(]?\d+[\])]?$/u.exec(name.trim());
  return found !== null && RANKS.get(plainName(found[1]))?.role === 'tags' ? plainName(found[1]) : undefined;
}
