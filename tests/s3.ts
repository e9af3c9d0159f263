import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The environment variables with the key and the secret that the S3 server of the tests accepts. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/**
 * Starts an S3 server with a bucket, in the process of the test and on a port of its own. Sets the
 * environment variables of this process to the key and secret of the S3 server.
 */
export async function startS3() {
  // Loads the package s3rver only here, because most tests do not need it.
  const { default: S3rver } = await import('s3rver')
  Object.assign(process.env, s3Credentials)
  const folder = mkdtempSync(join(tmpdir(), 'engawa-s3-'))
  const open = async (port: number) => {
    const bucket = { name: 'town', configs: [] }
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory: folder,
      configureBuckets: [bucket],
    })
    const address = await server.run()
    return { server, ...address }
  }
  let running = await open(0)
  const { port } = running
  const close = async () => {
    // @ts-expect-error The types of s3rver lack `httpServer`. Open connections would delay the stop.
    running.server.httpServer.closeAllConnections()
    await running.server.close()
  }
  return {
    mediaUrl: `s3://town/engawa/pictures?endpoint=http://127.0.0.1:${port}`,
    /** Stops the S3 server. The stored files stay. */
    close,
    async open() {
      running = await open(port)
    },
    async stop() {
      await close().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type TestS3Server = Awaited<ReturnType<typeof startS3>>
