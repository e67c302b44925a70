// The product export of Shopify: several rows a product, one for each variant and picture, of which the first has title, text and
// tags. Products that are not on sale are left out.

import { InputError } from '../../errors.ts';
import type { Listener } from '../../listener.ts';
import { addressIn } from '../catalogue/read-catalogue.ts';
import type { KnowledgeGraph } from '../knowledge-graph.ts';
import { ExportedObjects } from './exported-objects.ts';
import { type ExportedRow, type ExportKind, openExport, partsOf } from './exported-rows.ts';
import { loadHtmlText, type ToText } from './html-text.ts';

export interface ShopifyOptions extends Listener {
  /** The shop's address, such as https://shop.example: products get addresses. */
  readonly shop?: string;
  /** Whether drafts and archived products count; false by default. */
  readonly drafts?: boolean;
  /** Whether the type of a product counts as a tag; false by default. */
  readonly typeTags?: boolean;
  /** Whether the vendor of a product counts as a tag; false by default. */
  readonly vendorTags?: boolean;
}

type Column = 'handle' | 'title' | 'body' | 'vendor' | 'category' | 'type' | 'tags' | 'image' | 'status';

const EXPORT: ExportKind<Column> = {
  columns: {
    handle: ['Handle', 'URL handle'],
    title: ['Title'],
    body: ['Body (HTML)', 'Body HTML', 'Description'],
    vendor: ['Vendor'],
    category: ['Product Category'],
    type: ['Type'],
    tags: ['Tags'],
    image: ['Image Src', 'Product image URL'],
    status: ['Status'],
  },
  required: ['handle', 'title', 'tags'],
  cure: 'Export it in Shopify: Products, Export, "CSV for Excel, Numbers, or other spreadsheet programs".',
};

export async function readShopify(path: string, options: ShopifyOptions = {}): Promise<KnowledgeGraph> {
  const { shop } = options;
  if (shop !== undefined && !/^https?:\/\/[^\s/]+\/*$/i.test(shop)) {
    const cure = 'Write it as --shop https://shop.example.';
    throw new InputError({ got: `the shop ${JSON.stringify(shop)}`, expected: 'the address of its first page', cure });
  }
  const [toText, opened] = [await loadHtmlText(), await openExport(path, EXPORT, options)];
  const objects = new ExportedObjects(path, options);
  const hidden = new Set<string>();
  const arrivals = new Map<string, number>(); // by handle
  await opened.readRows((row) => {
    const handle = row.text('handle');
    const known = arrivals.get(handle);
    if (known === undefined && !hidden.has(handle)) {
      const status = row.text('status').toLowerCase();
      if (handle !== '' && !options.drafts && status !== '' && status !== 'active') {
        hidden.add(handle);
        objects.leaveOut(`whose status is ${status}`);
        return;
      }
      arrivals.set(handle, objects.add(productOf(row, toText, options)));
    }
    const object = arrivals.get(handle) ?? -1;
    if (object >= 0) objects.builder.images.put(object, addressIn(row.text('image')), 'first');
  });
  const cure = 'Tag some products first, or count their types as tags with --type-tags.';
  return objects.finish({ one: '1 product', many: 'products' }, cure);
}

function productOf(row: ExportedRow<Column>, toText: ToText, options: ShopifyOptions) {
  const handle = row.text('handle');
  return {
    id: handle,
    title: row.text('title'),
    texts: {
      description: toText(row.text('body')),
      type: row.text('type'),
      category: row.text('category'),
      vendor: row.text('vendor'),
    },
    tags: [
      ...partsOf(row.cell('tags'), ','),
      ...(options.typeTags ? [row.text('type')] : []),
      ...(options.vendorTags ? [row.text('vendor')] : []),
    ],
    url: options.shop === undefined ? '' : `${options.shop.replace(/\/+$/, '')}/products/${encodeURIComponent(handle)}`,
  };
}
