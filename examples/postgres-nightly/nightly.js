import { run } from './job.js';

const added = await run(process.env.DATABASE_URL);
const lines = added?.map(({ id, added: tags }) => `${id}: ${tags.join(', ')}`) ?? ['Another run is under way.'];
process.stdout.write(`${lines.join('\n') || 'Nothing to add.'}\n`);
