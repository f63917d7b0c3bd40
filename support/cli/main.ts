#!/usr/bin/env node
import { guardedEnding } from '../run/process.ts'
import { perform } from './program.ts'

const end = guardedEnding()
await end(await perform(process.argv.slice(2)))
