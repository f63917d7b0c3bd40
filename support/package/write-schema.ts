import { mkdirSync, writeFileSync } from 'node:fs'
import { packageRoot } from '../report/package-root.ts'
import { reportJsonSchema } from '../report/report.ts'

/** Build step after compilation: writes the JSON Schema of the report. */
const schema = new URL('dist/schemas/conformance.schema.json', packageRoot)
mkdirSync(new URL('./', schema), { recursive: true })
writeFileSync(schema, `${JSON.stringify(reportJsonSchema(), undefined, 2)}\n`)
