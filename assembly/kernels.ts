// All kernels, by the names src/engine/wasm.ts calls them. Every one takes the thread and the number of threads first.

export { adam, adamRows } from './adam';
export { dropout } from './dropout';
export { add, fill, mul, unary, unaryBackward } from './elementwise';
export { gemm, pack } from './gemm';
export { nceObjects, nceTags, softmaxCrossEntropy } from './losses';
export {
  addBias, broadcast, columnSums, countNonFinite, gather, rowDot, rowNorm, rowNormBackward, scaleRows, scatterAdd, sum, topK,
} from './rows';
export { addPackedRows, rowTimesTiles, sumsOfTwo, sumTrees } from './single';
export { spmm, spmmTransposed } from './sparse';
export {
  clearUpper, copyBlock, factorBlock, gatherPanel, invertLower, negateAndMirror, scatterPanel, symmetricUpdate,
} from './symmetric';
