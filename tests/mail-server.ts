import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/**
 * Starts an SMTP server that parses the mails it receives. As long as `state.isBusy` is true, it refuses all
 * mails with a temporary error (RFC 5321, 4.2.1). The caller closes the server.
 */
export async function startMailServer() {
  const mails: Email[] = []
  const state = { isBusy: false }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_, __, done) =>
      done(state.isBusy ? Object.assign(new Error('Busy'), { responseCode: 451 }) : null),
    onData(stream, _, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        mails.push(await PostalMime.parse(Buffer.concat(parts)))
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    mails,
    state,
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}
