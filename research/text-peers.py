# The other libraries of research/text-peers.mjs: one-vs-rest logistic regression and linear SVM of scikit-learn, and omikuji
# with the settings of Parabel and of Bonsai, all on the same TF-IDF of words. argv[1] is a JSON document: folder, models, c,
# threads. The folder has train.tsv (object, tag), test.tsv (object) and documents.tsv (object, text) or features.tsv (object,
# feature, value). What was measured goes to folder/peers.jsonl, suggestions to folder/NAME.tsv (object, tag, …).
import contextlib, json, os, pickle, platform, shutil, sys, time
from importlib import metadata
import numpy as np
import scipy.sparse as sp
import sklearn, omikuji
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

LIMIT = 5      # suggestions an object
SINGLES = 300  # objects that are suggested to one at a time
SEED = 1

job = json.loads(sys.argv[1])
folder, threads = job['folder'], job['threads']

def rows(name):
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        next(file)  # the header
        return [line.rstrip('\n').split('\t') for line in file]

def tags_by_object(pairs):
    tags = {}
    for object, tag in pairs:
        tags.setdefault(object, []).append(tag)
    return tags

class Texts:
    """Objects as what goes into `Words`: their text, or a row of counts."""
    def __init__(self):
        if os.path.exists(os.path.join(folder, 'documents.tsv')):
            self.by_object, self.counts = dict(rows('documents.tsv')), None
            return
        triples = rows('features.tsv')
        features = {name: i for i, name in enumerate(sorted({feature for _, feature, _ in triples}))}
        self.by_object = {}
        for object, _, _ in triples:
            self.by_object.setdefault(object, len(self.by_object))
        at = ([self.by_object[object] for object, _, _ in triples], [features[feature] for _, feature, _ in triples])
        values = [float(value) for _, _, value in triples]
        self.counts = sp.csr_matrix((values, at), shape=(len(self.by_object), len(features)))

    def of(self, objects):
        # an object without any feature or text has an empty row, as it has in the other contestants
        if self.counts is None:
            return [self.by_object.get(object, '') for object in objects]
        empty = sp.csr_matrix((1, self.counts.shape[1]))
        return sp.vstack([self.counts[self.by_object[o]] if o in self.by_object else empty for o in objects]).tocsr()

def words(texts):
    """Sublinear TF-IDF with rows of length 1, learnt from training objects alone."""
    if texts.counts is None:
        return TfidfVectorizer(sublinear_tf=True, min_df=2)
    return TfidfTransformer(sublinear_tf=True)

class OneVsRest:
    """The weights of all tags in one matrix of float32, as a careful user keeps them: one product answers."""
    def __init__(self, make):
        self.make = make

    def fit(self, x, labels):
        self.binarizer = MultiLabelBinarizer(sparse_output=True)
        y = self.binarizer.fit_transform(labels)
        fitted = OneVsRestClassifier(self.make(), n_jobs=threads).fit(x, y)
        self.tags = self.binarizer.classes_
        self.weights = np.zeros((x.shape[1], len(self.tags)), np.float32)
        self.base = np.zeros(len(self.tags), np.float32)
        for tag, one in enumerate(fitted.estimators_):
            if hasattr(one, 'coef_'):
                self.weights[:, tag], self.base[tag] = one.coef_[0], one.intercept_[0]
            else:
                self.base[tag] = 1e9  # a tag that all training objects carry
        return self

    def suggest(self, x):
        result = []
        for first in range(0, x.shape[0], 1024):
            scores = x[first:first + 1024].astype(np.float32) @ self.weights + self.base
            few = np.argpartition(-scores, min(LIMIT, scores.shape[1] - 1), axis=1)[:, :LIMIT]
            order = np.take_along_axis(-scores, few, axis=1).argsort(axis=1, kind='stable')
            result += [[self.tags[t] for t in row] for row in np.take_along_axis(few, order, axis=1)]
        return result

    def save(self, path):
        np.savez(path + '.npz', weights=self.weights, base=self.base, tags=self.tags)
        return os.path.getsize(path + '.npz')

@contextlib.contextmanager
def quiet():
    """omikuji logs to standard output and draws thousands of bars; both go to a file."""
    with open(os.path.join(folder, 'omikuji.log'), 'a') as log:
        kept = [os.dup(1), os.dup(2)]
        os.dup2(log.fileno(), 1), os.dup2(log.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept[0], 1), os.dup2(kept[1], 2)
            for one in kept:
                os.close(one)

class Omikuji:
    def __init__(self, **changes):
        self.changes = changes

    def fit(self, x, labels):
        self.binarizer = MultiLabelBinarizer(sparse_output=True)
        y = self.binarizer.fit_transform(labels)
        self.tags = self.binarizer.classes_
        path = os.path.join(folder, 'omikuji.txt')
        with open(path, 'w') as file:
            worded = [i for i in range(x.shape[0]) if x.indptr[i] < x.indptr[i + 1]]  # it reads no object without a word
            file.write(f'{len(worded)} {x.shape[1]} {y.shape[1]}\n')
            for i in worded:
                own = ','.join(map(str, y.indices[y.indptr[i]:y.indptr[i + 1]]))
                pairs = ' '.join(f'{f}:{v:.6g}' for f, v in self.pairs(x, i))
                file.write(f'{own} {pairs}\n')
        settings = omikuji.Model.default_hyper_param()
        for name, value in self.changes.items():
            setattr(settings, name, value)
        with quiet():
            self.model = omikuji.Model.train_on_data(path, settings, threads)
        os.remove(path)
        return self

    @staticmethod
    def pairs(x, i):
        return zip(x.indices[x.indptr[i]:x.indptr[i + 1]].tolist(), x.data[x.indptr[i]:x.indptr[i + 1]].tolist())

    def suggest(self, x):
        found = (self.model.predict(list(self.pairs(x, i)), top_k=LIMIT) for i in range(x.shape[0]))
        return [[self.tags[tag] for tag, _ in row] for row in found]

    def save(self, path):
        shutil.rmtree(path, ignore_errors=True)
        self.model.save(path)
        return sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))

MODELS = {
    'logistic-regression': lambda c: OneVsRest(lambda: LogisticRegression(solver='liblinear', C=c)),
    'linear-svm': lambda c: OneVsRest(lambda: LinearSVC(C=c, random_state=SEED)),
    'parabel': lambda c: Omikuji(),
    'bonsai': lambda c: Omikuji(cluster_balanced=False, cluster_k=100, max_depth=3),
}

def fit(name, c, texts, objects, labels):
    start = time.perf_counter()
    vectors = words(texts)
    model = MODELS[name](c)
    model.fit(vectors.fit_transform(texts.of(objects)), labels)
    return vectors, model, time.perf_counter() - start

def best_c(name, texts, train, tags):
    """The C with the most right tags among the first five, on a tenth of the training objects."""
    candidates = job['c']
    if len(candidates) == 1 or name not in ('logistic-regression', 'linear-svm'):
        return candidates[0]
    order = np.random.default_rng(SEED).permutation(len(train))
    held = set(order[:len(train) // 10].tolist())
    inner = [o for i, o in enumerate(train) if i not in held]
    outer = [o for i, o in enumerate(train) if i in held]
    def hits(c):
        vectors, model, _ = fit(name, c, texts, inner, [tags[o] for o in inner])
        found = model.suggest(vectors.transform(texts.of(outer)))
        return sum(len(set(tags[o]) & set(row)) for o, row in zip(outer, found))
    return max(candidates, key=hits)

def measure(name, texts, train, tags, test):
    c = best_c(name, texts, train, tags)
    vectors, model, seconds = fit(name, c, texts, train, [tags[o] for o in train])
    path = os.path.join(folder, name)
    size = model.save(path) + len(pickle.dumps(vectors))
    inputs = texts.of(test)
    start = time.perf_counter()
    found = model.suggest(vectors.transform(inputs))
    batch = len(test) / (time.perf_counter() - start)
    singles = [texts.of([o]) for o in test[:SINGLES]]
    start = time.perf_counter()
    for one in singles:
        model.suggest(vectors.transform(one))
    single = len(singles) / (time.perf_counter() - start)
    with open(path + '.tsv', 'w', encoding='utf-8') as file:
        for object, row in zip(test, found):
            file.write('\t'.join([object, *row]) + '\n')
    settings = {'C': c} if isinstance(model, OneVsRest) else model.changes
    return {'model': name, 'settings': settings, 'seconds': seconds, 'bytes': size, 'batch': batch, 'single': single}

def main():
    tags = tags_by_object(rows('train.tsv'))
    train, test, texts = list(tags), [object for object, in rows('test.tsv')], Texts()
    versions = {'python': platform.python_version(), 'scikit-learn': sklearn.__version__, 'numpy': np.__version__,
                'omikuji': metadata.version('omikuji')}
    with open(os.path.join(folder, 'peers.jsonl'), 'w') as file:
        file.write(json.dumps({'versions': versions}) + '\n')
        for name in job['models']:
            print(f'{name} …', file=sys.stderr, flush=True)
            file.write(json.dumps(measure(name, texts, train, tags, test)) + '\n')

main()
