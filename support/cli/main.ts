#!/usr/bin/env node
import { guardedEnding } from '../run/process/ending.ts'
import { perform } from './program.ts'

const end = guardedEnding()
await end(await perform(process.argv.slice(2)))
