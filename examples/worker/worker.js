import { suggestWith } from './handler.js';
import model from './shop.tagloom'; // an ArrayBuffer: see the rules in wrangler.toml

// biome-ignore lint/style/noDefaultExport: workers are default exports
export default suggestWith(model);
