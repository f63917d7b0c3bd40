import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** Stands in for the installed command: has it run by the tests, in a process that is already warm. */
const [socket = '', ...args] = process.argv.slice(2)
const connection = connect(socket)
connection.end(JSON.stringify({ args, folder: process.cwd(), env: process.env }))
const { code, stdout, stderr } = JSON.parse(await text(connection))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = code
