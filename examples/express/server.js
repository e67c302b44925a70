import { createApp } from './app.js';

const port = Number(process.env.PORT ?? 3000);
const { app } = await createApp(process.argv[2] ?? 'shop.tagloom');
app.listen(port, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${port}\n`));
