import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { connectSubscribed, realtimeApp } from '#tests/sockets.ts'

const METRICS_TOKEN = 'for Prometheus alone'
const bearer = { authorization: `Bearer ${METRICS_TOKEN}` }

/** Returns the value of a metric in the text of `/metrics`: `name{a="b"} 3` gives 3. */
function read(text: string, name: string, ...labels: string[]) {
  const line = text
    .split('\n')
    .find(
      (one) =>
        one.startsWith(name) &&
        one.charAt(name.length).match(/[ {]/) &&
        labels.every((label) => one.includes(label)),
    )
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

describe.each(dialectsInTurn())('/metrics on %s', (dialect) => {
  test('counts requests by route and status, sockets, events and queued tasks', async () => {
    const { url, realtime, context, visitor, members } = await realtimeApp({
      dialect,
      env: { METRICS_TOKEN },
    })
    const { Ann } = await members('Ann')
    await context.jobs.idle()
    await Ann.get('/api/users/1')
    await Ann.get('/api/users/77')
    await connectSubscribed(url, 'chat')
    const hearing = await connectSubscribed(url, 'chat')
    realtime.broadcast(['chat'], 'MessageSent', { message: 'Hello' })
    await hearing.nextMessage('MessageSent')
    const { status, body, headers } = await visitor().get('/metrics', bearer)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    const count = 'engawa_http_request_duration_seconds_count'
    expect(read(body, count, 'route="/api/users/:id"', 'status="200"', 'method="GET"')).toBe(1)
    expect(read(body, count, 'route="/api/users/:id"', 'status="404"')).toBe(1)
    expect(read(body, 'engawa_http_requests_under_way')).toBe(1)
    expect(read(body, 'engawa_live_sockets')).toBe(2)
    expect(read(body, 'engawa_live_channels')).toBe(1)
    expect(read(body, 'engawa_live_events_total')).toBe(1)
    expect(read(body, 'engawa_live_deliveries_total')).toBeGreaterThanOrEqual(6)
    expect(read(body, 'engawa_processes')).toBe(1)
    expect(read(body, 'engawa_queue_depth', 'queue="passwords"')).toBe(0)
    expect(read(body, 'engawa_queue_depth', 'queue="mails"')).toBe(0)
    expect(read(body, 'engawa_members')).toBe(1)
    expect(read(body, 'engawa_disk_free_bytes')).toBeGreaterThan(2 ** 20)
    expect(read(body, 'engawa_last_good_backup_timestamp_seconds')).toBeNaN()
    expect(read(body, 'engawa_jobs', 'state="waiting"')).toBe(0)
    expect(read(body, 'engawa_jobs', 'state="failed"')).toBe(0)
    expect(read(body, 'engawa_mails_given_up')).toBe(0)
    expect(read(body, 'engawa_database_connections')).toEqual(
      dialect === 'postgres' ? expect.any(Number) : undefined,
    )
    expect(read(body, 'process_resident_memory_bytes')).toBeGreaterThan(2 ** 20)
    expect(read(body, 'nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
  })

  test('counts the jobs and mails that were given up in the last seven days, not the older rows', async () => {
    const { context, visitor } = await realtimeApp({ dialect, env: { METRICS_TOKEN } })
    const now = Date.now()
    const failed = (kind: 'mail' | 'backup', days: number) => {
      const at = new Date(now - days * 24 * 3600 * 1000).toISOString()
      return { kind, payload: '{}', created_at: at, run_at: at, attempts: 1, failed_at: at, last_error: 'no' }
    }
    await transaction(context.db, (tx) =>
      tx
        .insertInto('jobs')
        .values([failed('mail', 1), failed('mail', 8), failed('backup', 6), failed('backup', 29)])
        .execute(),
    )
    const { body } = await visitor().get('/metrics', bearer)
    expect(read(body, 'engawa_jobs', 'state="failed"')).toBe(2)
    expect(read(body, 'engawa_mails_given_up')).toBe(1)
  })
})

test('/metrics responds with 404 without METRICS_TOKEN, and without the right token', async () => {
  const { visitor } = await realtimeApp()
  expect((await visitor().get('/metrics', bearer)).status).toBe(404)
  const asked = await realtimeApp({ env: { METRICS_TOKEN } })
  for (const headers of [
    {},
    { authorization: 'Bearer for Prometheus alonf' },
    { authorization: METRICS_TOKEN },
  ])
    expect((await asked.visitor().get('/metrics', headers)).status).toBe(404)
})
