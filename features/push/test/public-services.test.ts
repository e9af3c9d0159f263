import { once } from 'node:events'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Connector } from '#core/http/public-network.ts'
import { selfSigned } from '#tests/certificate.ts'
import { createTestApp, type Dialect, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { startPushService } from '#tests/push-service.ts'

const HOST = 'push.example'
/**
 * A public IP address, to which the name server of the test resolves the push service. No test connects to
 * it.
 */
const PUBLIC_ADDRESS = '142.250.1.1'

/**
 * Starts a push service with a certificate for `HOST`, and an app that reaches it through a simulated
 * network: a name server that the test controls, and connections that all end at this push service.
 */
async function open(dialect: Dialect, resolve: Connector['resolve'] = async () => [PUBLIC_ADDRESS]) {
  const certificate = selfSigned(HOST)
  const authorities = getCACertificates('default')
  setDefaultCACertificates([...authorities, certificate.cert])
  const paths: string[] = []
  const server = createServer(certificate, (request, response) => {
    paths.push(`${request.headers.host}${request.url}`)
    request.resume().on('end', () => response.writeHead(201).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    setDefaultCACertificates(authorities)
    server.closeAllConnections()
    server.close()
  })
  const lookups: string[] = []
  const connections: { addresses: readonly string[]; port: number }[] = []
  const publicNetwork: Connector = {
    resolve(hostname, signal) {
      lookups.push(hostname)
      return resolve(hostname, signal)
    },
    connect(addresses, port) {
      connections.push({ addresses, port })
      return connect((server.address() as AddressInfo).port, '127.0.0.1')
    },
    timeout: 60_000,
  }
  const app = await createTestApp({ dialect, publicNetwork })
  return { ...(await app.members('Ann', 'Ben')), paths, lookups, connections }
}

/**
 * Adds a device of the member with the push URL `https://HOST/a`, and returns the API path that sends test
 * messages to it.
 */
async function addDevice(who: TestClient, host = HOST) {
  const { subscription } = (await startPushService()).createBrowser()
  const device = await who.post('/api/push/devices', { ...subscription, endpoint: `https://${host}/a` })
  expect(device.status).toBe(201)
  return `/api/push/devices/${device.body.id}/test`
}

describe.each(dialectsInTurn())('push services on the internet, on %s', (dialect) => {
  test('are asked at a public address only, over a connection that is used again', async () => {
    const scene = await open(dialect, async () => ['10.0.0.1', PUBLIC_ADDRESS])
    const path = await addDevice(scene.Ann)
    for (let n = 0; n < 2; n++) expect((await scene.Ann.post(path)).body).toEqual({ result: 'sent' })
    expect(scene.paths).toEqual([`${HOST}/a`, `${HOST}/a`])
    expect(scene.lookups).toEqual([HOST])
    expect(scene.connections).toEqual([{ addresses: [PUBLIC_ADDRESS], port: 443 }])
  })

  test('get no connection if they have no public address', async () => {
    const { Ann, lookups, connections } = await open(dialect, async () => ['10.0.0.1', '::1'])
    expect((await Ann.post(await addDevice(Ann))).body).toEqual({ result: 'failed' })
    expect(lookups).toEqual([HOST])
    expect(connections).toEqual([])
  })

  test('get no request if their certificate is for another host name', async () => {
    const { Ann, paths, connections } = await open(dialect)
    expect((await Ann.post(await addDevice(Ann, 'other.example'))).body).toEqual({ result: 'failed' })
    expect(connections).toHaveLength(1)
    expect(paths).toEqual([])
  })

  test('get one test of a member after the other', async () => {
    const asked = Promise.withResolvers<void>()
    const { promise: answer, resolve: answerLookup } = Promise.withResolvers<string[]>()
    const { Ann, Ben } = await open(dialect, (hostname) => {
      asked.resolve()
      return hostname === 'slow.example' ? answer : Promise.resolve([PUBLIC_ADDRESS])
    })
    const path = await addDevice(Ann, 'slow.example')
    const [first] = [Ann.post(path), await asked.promise]
    const second = await Ann.post(path)
    expect([second.status, second.headers['retry-after']]).toEqual([429, '10'])
    expect((await Ben.post(await addDevice(Ben))).body).toEqual({ result: 'sent' })
    answerLookup([])
    expect((await first).body).toEqual({ result: 'failed' })
    expect((await Ann.post(path)).body).toEqual({ result: 'failed' })
  })
})
