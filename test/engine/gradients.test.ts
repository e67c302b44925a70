// The gradients of the tape on every CPU backend: many examples on one of them, few on the others, which run the same tape.

import { BACKENDS } from './backends.ts';
import { describeGradients } from './gradients-contract.ts';

for (const [name, make] of BACKENDS) describeGradients(name, make, name === 'cpu' ? 30 : 4);
