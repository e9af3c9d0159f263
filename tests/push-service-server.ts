import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

// A simulated push service (RFC 8030) for tests, and the simulated browsers that receive its messages. The
// push service verifies the signature of each request (RFC 8292). The browsers decrypt the messages as RFC
// 8291 describes, with Node's own functions.

interface ReceivedPush {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** The claims of the request's VAPID token, after its signature was verified. */
  claims: { aud: string; exp: number; sub: string }
  /** The public key of the sender, from the header Authorization of the request. */
  publicKey: string
}

/** A response of the simulated push service: a status with headers, or `hang` for no response. */
type Answer = 'hang' | readonly [status: number, headers?: Record<string, string>]

/**
 * Opens a push service on a free port of this machine, which the caller closes. It responds to requests with
 * 201, unless the test has set another response for the path with `answer`. `answerAgain` removes this other
 * response.
 */
export async function startServiceOnPort() {
  const received: ReceivedPush[] = []
  const answers = new Map<string, Answer>()
  const hanging = new Set<ServerResponse>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const path = request.url!
    received.push({ path, headers: request.headers, body, ...verifyVapid(request.headers) })
    const answer = answers.get(path) ?? ([201, { location: `${path}/message` }] as const)
    if (answer === 'hang') hanging.add(response)
    else response.writeHead(answer[0], answer[1]).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    close() {
      server.closeAllConnections()
      server.close()
    },
    received,
    receivedAt: (path: string) => received.filter((push) => push.path === path),
    answer: (path: string, answer: Answer) => void answers.set(path, answer),
    answerAgain: (path: string) => void answers.delete(path),
    /** Breaks the connections of the requests that got no response. */
    breakHanging() {
      for (const response of hanging) response.destroy()
      hanging.clear()
    },
    createBrowser: () => createBrowser(origin),
  }
}
export type PushService = Awaited<ReturnType<typeof startServiceOnPort>>

/**
 * Verifies the VAPID token in `Authorization: vapid t=…, k=…`. Returns its claims and the public key. Throws
 * if the signature is wrong.
 */
function verifyVapid({ authorization = '' }: IncomingHttpHeaders) {
  const { t: token = '', k: publicKey = '' } =
    /^vapid t=(?<t>[\w.-]+), k=(?<k>[\w-]+)$/.exec(authorization)?.groups ?? {}
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const options = { key, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), options, Buffer.from(signature, 'base64url')))
    throw new Error('The signature is wrong')
  return {
    claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as ReceivedPush['claims'],
    publicKey,
  }
}

/** Creates a simulated browser: a push subscription with the private key that decrypts the messages to it. */
function createBrowser(origin: string) {
  const keys = createECDH('prime256v1')
  const publicKey = keys.generateKeys()
  const auth = randomBytes(16)
  const path = `/push/${randomBytes(8).toString('hex')}`
  /** Decrypts a push message (RFC 8291, 3.4; RFC 8188, 2), and returns its text. */
  function decryptText({ body }: Pick<ReceivedPush, 'body'>) {
    const salt = body.subarray(0, 16)
    const senderKey = body.subarray(21, 21 + body[20]!)
    const record = body.subarray(21 + body[20]!)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
    const ikm = Buffer.from(hkdfSync('sha256', keys.computeSecret(senderKey), auth, info, 32))
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${name}\0`, length))
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
    decipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    return padded.subarray(0, padded.lastIndexOf(2)).toString()
  }

  return {
    path,
    subscription: {
      endpoint: `${origin}${path}`,
      expirationTime: null,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    /** Decrypts a push message, and returns the notification in its JSON. */
    decrypt(push: Pick<ReceivedPush, 'body'>) {
      return (JSON.parse(decryptText(push)) as { notification: Record<string, unknown> }).notification
    },
    decryptText,
  }
}
export type PushBrowser = ReturnType<typeof createBrowser>
