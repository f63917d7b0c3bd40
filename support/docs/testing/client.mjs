import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** Stands in for the installed command: asks the process of the tests to perform it. */
const [socket = '', ...args] = process.argv.slice(2)
const connection = connect(socket)
connection.end(JSON.stringify({ args, folder: process.cwd(), env: process.env }))
const { code, stdout, stderr } = JSON.parse(await text(connection))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = code
