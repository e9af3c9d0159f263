import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The key and the secret that the S3 server accepts. */
export const s3Env = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** An S3 server in this process with a bucket, on a port of its own; this process gets its key. */
export async function startS3() {
  // Loaded only here, as most tests have no use for it.
  const { default: S3rver } = await import('s3rver')
  Object.assign(process.env, s3Env)
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
    // @ts-expect-error its types leave it out: lines that are kept open would hold it up
    running.server.httpServer.closeAllConnections()
    await running.server.close()
  }
  return {
    mediaUrl: `s3://town/engawa/pictures?endpoint=http://127.0.0.1:${port}`,
    /** Its files stay. */
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

export type S3 = Awaited<ReturnType<typeof startS3>>
