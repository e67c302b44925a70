import Fastify from 'fastify';
import { suggestTags } from './plugin.js';

const app = Fastify();
await app.register(suggestTags, { model: process.argv[2] ?? 'shop.tagloom' });
process.stdout.write(`${await app.listen({ port: Number(process.env.PORT ?? 3000) })}\n`);
