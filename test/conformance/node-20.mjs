// The conformance suite imports fs.globSync, which Node 20 lacks, but uses it only in its own repository. An empty one
// suffices.
import { register } from 'node:module';

const hooks = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!/@modelcontextprotocol\\/conformance\\/dist\\/index\\.js$/.test(url)) return loaded;
  const source = String(loaded.source).replace(/globSync as (\\w+),/, (_, name) => '/*' + name + '*/');
  const name = /globSync as (\\w+),/.exec(String(loaded.source))?.[1];
  return { ...loaded, source: name ? source.replace(/^(#!.*\\n)?/, (bang) => bang + 'const ' + name + '=()=>[];') : source };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
