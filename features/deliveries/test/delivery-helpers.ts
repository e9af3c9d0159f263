import { expect, onTestFinished } from 'vitest'
import { type Actor, befriend } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import type { Dialect } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { startPushService } from '#tests/push-service.ts'
import { realtimeApp } from '#tests/sockets.ts'
import type { Delivery, DeliveryStep } from '../contract.ts'

const HOUR = 3600_000

/**
 * Starts an app with a simulated push service and a mail server, and with the members Ann (an admin), Ben and
 * Cleo.
 */
export async function deliveryApp(dialect: Dialect, jobRetryDelays: readonly number[] = [HOUR, HOUR, HOUR]) {
  const service = await startPushService()
  const mailServer = await startMailServer()
  onTestFinished(mailServer.close)
  const env = { PUSH_LOCAL_SERVICE: service.origin, SMTP_URL: mailServer.url }
  const app = await realtimeApp({ dialect, env, jobRetryDelays })
  const people = await app.members('Ann', 'Ben', 'Cleo')
  for (const who of [people.Ben, people.Cleo]) await befriend(people.Ann, who)
  const addDevice = async (who: Actor) => {
    const browser = service.createBrowser()
    const { status, body } = await who.post('/api/push/devices', browser.subscription)
    expect(status).toBe(201)
    return { ...browser, id: body.id as number }
  }
  /** Logs Ben in a second time. The new session can have a push device of its own. */
  const logInAgain = async (): Promise<Actor> => {
    const client = app.visitor()
    await client.get('/sanctum/csrf-cookie')
    const account = { email: 'ben@engawa.example', password: 'correct horse' }
    expect((await client.post('/login', account)).status).toBe(204)
    return { ...client, id: people.Ben.id }
  }
  return { ...app, ...people, service, mailServer, addDevice, logInAgain }
}

/**
 * Returns the steps in one channel of the delivery of a message or notification, as the member gets them from
 * the API.
 */
export const deliverySteps = async (
  who: Actor,
  id: number,
  channel: DeliveryStep['channel'],
  kind: 'chat-messages' | 'notifications' = 'chat-messages',
) => {
  const { status, body } = await who.get(`/api/${kind}/${id}/delivery`)
  expect(status).toBe(200)
  return (body as Delivery).steps.filter((step) => step.channel === channel)
}
/** Waits until the last delivery step in a channel equals the expected one. */
export const lastStepMatches = (
  who: Actor,
  id: number,
  channel: DeliveryStep['channel'],
  expected: Partial<DeliveryStep>,
  kind: 'chat-messages' | 'notifications' = 'chat-messages',
) =>
  eventually(async () => expect((await deliverySteps(who, id, channel, kind)).at(-1)).toMatchObject(expected))
/** Fetches the member's notifications, and returns the id of the newest one of a kind. */
export const newestNotification = async (who: Actor, kind: string) =>
  (await who.get('/api/notifications')).body.find((one: { kind: string }) => one.kind === kind).id as number

/** Returns settings for quiet hours in UTC that began an hour ago and end in an hour. */
export function quietHoursNow() {
  const clock = (time: number) => new Date(time).toISOString().slice(11, 16)
  return { from: clock(Date.now() - HOUR), to: clock(Date.now() + HOUR), time_zone: 'UTC' }
}
export const saveSettings = (who: Actor, changes: object) =>
  who.send('PATCH', '/api/notification-settings', changes)
