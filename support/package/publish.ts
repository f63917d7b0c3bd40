import { mkdirSync, writeFileSync } from 'node:fs'
import { suites } from '../../suites/index.ts'
import { profileNames, profiles } from '../interface/profiles.ts'
import { select } from '../judge/selection.ts'
import { packageRoot } from '../report/package-root.ts'
import { reportJsonSchema } from '../report/report.ts'

/** What the package publishes beside its code, for other programs: the JSON Schema of the report, and the frozen profiles. */
const write = (name: string, content: unknown): void => {
  const path = new URL(`dist/${name}`, packageRoot)
  mkdirSync(new URL('./', path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`)
}

write('schemas/conformance.schema.json', reportJsonSchema())
for (const name of profileNames) {
  const selection = select(suites, { profile: name })
  if (!('rules' in selection)) throw new Error(`profile ${name} has no rules`)
  const { title, interfaceVersion } = profiles[name]
  write(`profiles/${name}.json`, {
    name,
    title,
    interfaceVersion,
    rules: selection.rules.map(({ id }) => id),
  })
}
