// The vocabulary as a SKOS document: export, and import as one change that can be undone as a whole.

import { Readable } from 'node:stream';
import { proposalOf } from '../vocabulary/proposal.ts';
import { readSkos } from '../vocabulary/read-skos.ts';
import { CONTENT_TYPES, ENDINGS } from '../vocabulary/skos-format.ts';
import { writeSkos } from '../vocabulary/write-skos.ts';
import { nameFor, needs } from './access.ts';
import { type Api, type ApiContext, problems, problemsOfWrites } from './api.ts';
import { the } from './schemas.ts';
import { Type } from './typebox.ts';
import { previewOf, shownChange } from './vocabulary-answers.ts';
import { ImportBody, VocabularyExportQuery, VocabularyImport } from './vocabulary-schemas.ts';

const tags = ['vocabulary'];
const MOST_BYTES = 1 << 25; // of an import: thesauri have some ten thousand concepts

export function addExchange(app: Api, context: ApiContext): void {
  addExport(app, context);
  addImport(app, context);
}

function addExport(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/vocabulary/export',
    {
      config: needs('read'),
      schema: {
        operationId: 'exportVocabulary',
        summary: 'All tags and what is declared of them, as a SKOS document',
        tags,
        querystring: VocabularyExportQuery,
        response: {
          200: {
            description: 'SKOS as Turtle or N-Triples',
            content: Object.fromEntries(Object.values(CONTENT_TYPES).map((type) => [type, { schema: Type.String() }])),
          },
          ...problems(),
        },
      },
    },
    async ({ query: { format, language } }, reply) => {
      const written = await models.use(({ curation, model }) =>
        writeSkos(curation.vocabulary.declarations, model.graph.tags.names.toArray(), { format, language }),
      );
      return reply
        .header('content-disposition', `attachment; filename="vocabulary.${ENDINGS[format]}"`)
        .header('cache-control', 'no-store')
        .type(`${CONTENT_TYPES[format]}; charset=utf-8`)
        .send(Readable.from(written) as never);
    },
  );
}

function addImport(app: Api, { models }: ApiContext): void {
  app.post(
    '/v1/vocabulary/import',
    {
      config: needs('review'),
      bodyLimit: MOST_BYTES,
      schema: {
        operationId: 'importVocabulary',
        summary: 'Declare what a SKOS document says, as one change; with dryRun only say what it would do',
        tags,
        body: ImportBody,
        response: { 200: the(VocabularyImport), ...problemsOfWrites(409, 503) },
      },
    },
    ({ body, actor }) =>
      models.decide(async (loaded) => {
        const { document, language, dryRun, note } = body;
        const read = await readSkos(document, { language });
        const { curation, model } = loaded;
        const declared = curation.vocabulary.declarations.tags();
        const isKnown = (name: string) => model.graph.tags.idOf(name) >= 0 || declared.has(name);
        const facts = {
          numConcepts: read.tags.length,
          numUnknown: read.tags.filter((tag) => !isKnown(curation.vocabulary.declarations.tagOf(tag))).length,
          warnings: read.warnings,
        };
        const { declarations } = proposalOf(curation.vocabulary.changes, read.declarations);
        const numDeclarations = declarations.length;
        if (dryRun) return { ...facts, numDeclarations, preview: await previewOf(loaded, read.declarations) };
        if (numDeclarations === 0) return { ...facts, numDeclarations };
        const options = { isImport: true, curator: nameFor(actor, body.curator), note };
        const { change } = await curation.declare(read.declarations, options);
        return { ...facts, numDeclarations, change: shownChange(change) };
      }),
  );
}
