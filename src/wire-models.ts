// Each model loads on its first use.
import { builtinEmbedder } from './adapters/embedder/builtin.ts';
import { createOpenAiEmbedder } from './adapters/embedder/openai.ts';
import type { Cassette } from './adapters/language-model/cassette.ts';
import { withFailurePause } from './adapters/language-model/failure-pause.ts';
import { createOpenAiModel } from './adapters/language-model/openai.ts';
import type { LoadedPlugins } from './adapters/plugins.ts';
import type { AskModels } from './ask/ask-deps.ts';
import { DecisionModel } from './ask/read/model/decision-model.ts';
import type { OperatorFile } from './config.ts';
import type { Embedder, LanguageModel } from './domain/ports.ts';

const DEFAULT_EXACT_MATCH_SIMILARITY = 0.95;
const RECORDED_MODEL_TIMEOUT_MS = 20_000; // for each call to a recording of a model that isn't configured

type ModelEntries = NonNullable<OperatorFile['models']>;

/** An unknown provider leaves its entry unset. Plugins can add providers to `openai`. */
export function wireModels(
  operator: OperatorFile,
  plugins: Pick<LoadedPlugins, 'models' | 'embedders'>,
  cassette: Cassette | null = null,
): { models: AskModels | null; embedder: Embedder; exactBand: number } {
  const { fast, smart, embedder } = operator.models ?? {};
  const makeModel = (entry: 'fast' | 'smart', configured: ModelEntries['fast']) => {
    const innerModel = createLanguageModel(entry, configured, plugins.models);
    return cassette ? cassette(entry, innerModel) : innerModel;
  };
  const [smartModel, fastModel] = [makeModel('smart', smart), makeModel('fast', fast)];
  const decider = operator.typed_decisions === 'off' ? null : fastModel;
  // Models that write plans and prose pause after failures. Typed decisions track their own failures.
  const [writer, fastWriter] = [smartModel, fastModel].map((model) => model && withFailurePause(model));
  // A lens can specify the fast model. For any other name, svc uses the smart model.
  const writerFor = (lensModel: string | null) => (lensModel === 'fast' ? fastWriter : writer) ?? null;
  return {
    models:
      decider || writer
        ? {
            decisions: new DecisionModel(decider),
            timeoutMs: (entry) =>
              operator.models?.[entry === 'fast' ? 'fast' : 'smart']?.timeout_ms ?? RECORDED_MODEL_TIMEOUT_MS,
            writerFor,
            sqlWriterFor: (lensModel) => writerFor(lensModel) ?? fastWriter ?? null,
          }
        : null,
    embedder: createEmbedder(embedder, plugins.embedders),
    // The configured threshold applies only to the configured embedder.
    exactBand:
      embedder && isKnownProvider(embedder.provider, plugins) ? embedder.exact_band : DEFAULT_EXACT_MATCH_SIMILARITY,
  };
}

const isKnownProvider = (provider: string, { embedders }: Pick<LoadedPlugins, 'embedders'>): boolean =>
  ['builtin', 'openai'].includes(provider) || embedders[provider] !== undefined;

function createEmbedder(configured: ModelEntries['embedder'], plugins: LoadedPlugins['embedders']): Embedder {
  if (!configured || configured.provider === 'builtin') return builtinEmbedder;
  const plugin = plugins[configured.provider];
  if (plugin) return plugin(configured);
  // The plugin didn't load. /ready reports the failure.
  if (configured.provider !== 'openai') return builtinEmbedder;
  return createOpenAiEmbedder({
    model: configured.model ?? 'text-embedding-3-small',
    baseUrl: configured.base_url ?? null,
    apiKey: configured.api_key!,
  });
}

function createLanguageModel(
  entry: 'fast' | 'smart',
  configured: ModelEntries['fast'],
  plugins: LoadedPlugins['models'],
): LanguageModel | null {
  if (!configured) return null;
  const { provider, model, base_url, api_key, price } = configured;
  const plugin = plugins[provider];
  if (plugin) return plugin({ ...configured, entry });
  if (provider !== 'openai') return null;
  return createOpenAiModel({
    ...{ entry, provider, model, baseUrl: base_url ?? null, apiKey: api_key!, price: price ?? null },
  });
}
