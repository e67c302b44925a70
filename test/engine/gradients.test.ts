// The gradients of the tape on every CPU backend.

import { BACKENDS } from './backends.ts';
import { describeGradients } from './gradients-contract.ts';

for (const [name, make] of BACKENDS) describeGradients(name, make);
