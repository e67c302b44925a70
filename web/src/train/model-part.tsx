// Which model, with which settings, on what: the form, and the button that begins.

import { useId, useState } from 'preact/hooks';
import type { Setting, SettingList } from '../../../src/settings.ts';
import { useStore } from '../store.ts';
import { FaultNote } from './status-notes.tsx';
import { train, trainState } from './train-state.ts';
import type { Engine, ModelName } from './worker/messages.ts';

const MODELS: readonly { name: ModelName; label: string; about: string }[] = [
  {
    name: 'loom',
    label: 'loom',
    about: 'One ridge regression in closed form: the most accurate model here, with calibrated confidence.',
  },
  { name: 'dge', label: 'DGE', about: 'Dual graph embedding, trained epoch by epoch: two graph convolutions.' },
];

/** Settings worth a field; all others stay as they are. */
const SHOWN: Readonly<Record<ModelName, { readonly first: readonly string[]; readonly more: readonly string[] }>> = {
  loom: { first: ['seed'], more: ['search', 'neighbours', 'weightsPerTag'] },
  dge: { first: ['epochs', 'seed'], more: ['hidden', 'output', 'neighbours', 'learningRate'] },
};

const ENGINES: readonly (readonly [Engine, string])[] = [
  ['auto', 'Automatic'],
  ['gpu', 'GPU (WebGPU)'],
  ['cpu', 'Processor'],
];

export function ModelPart() {
  const settings = useStore(trainState, (all) => all.settings);
  const isReady = useStore(trainState, ({ data, run }) => data.state === 'read' && run.state !== 'running');
  const refusal = useStore(trainState, (all) => all.refusal);
  const [model, setModel] = useState<ModelName>('loom');
  const begin = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const { first, more } = SHOWN[model];
    const given = [...first, ...more].map((name) => [name, String(form.get(name) ?? '')] as const);
    const chosen = Object.fromEntries(given.filter(([, value]) => value !== '')); // an empty field: the default
    train({ model, settings: chosen, engine: form.get('engine') as Engine });
  };
  return (
    <section class="stage" aria-labelledby="model">
      <h2 id="model">
        <span class="step-number">2</span> Model
      </h2>
      <form class="model-form" noValidate onSubmit={begin}>
        <fieldset class="models">
          <legend class="unseen">Model</legend>
          {MODELS.map(({ name, label, about }) => (
            <label key={name} class="model-choice">
              <input type="radio" name="model" value={name} checked={model === name} onChange={() => setModel(name)} />
              <span>
                <strong>{label}</strong> <small>{about}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {settings !== undefined && <Fields key={model} model={model} list={settings[model]} />}
        <div class="begin">
          <button type="submit" disabled={!isReady || settings === undefined}>
            Train
          </button>
          <WhyNot />
        </div>
      </form>
      {refusal !== undefined && <FaultNote fault={refusal} />}
    </section>
  );
}

function Fields({ model, list }: { readonly model: ModelName; readonly list: SettingList }) {
  const { first, more } = SHOWN[model];
  return (
    <>
      <div class="setting-list">
        {first.map((name) => (
          <Field key={name} name={name} setting={list[name]} />
        ))}
        <div class="setting">
          <label for="engine">engine</label>
          <select id="engine" name="engine" aria-describedby="engine-help">
            {ENGINES.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
          <small id="engine-help">what computes; automatic uses a GPU if there is one</small>
        </div>
      </div>
      <details>
        <summary>More settings</summary>
        <div class="setting-list">
          {more.map((name) => (
            <Field key={name} name={name} setting={list[name]} />
          ))}
        </div>
      </details>
    </>
  );
}

function Field({ name, setting }: { readonly name: string; readonly setting: Setting }) {
  const id = useId();
  return (
    <div class="setting">
      <label for={id}>{name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}</label>
      {'choices' in setting ? (
        <select id={id} name={name} defaultValue={setting.default} aria-describedby={`${id}-help`}>
          {setting.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          type="number"
          step="any"
          defaultValue={String(setting.default)}
          aria-describedby={`${id}-help`}
        />
      )}
      <small id={`${id}-help`}>{setting.help}</small>
    </div>
  );
}

function WhyNot() {
  const state = useStore(trainState, ({ data }) => data.state);
  if (state === 'none') return <small>Add data first.</small>;
  return null;
}
