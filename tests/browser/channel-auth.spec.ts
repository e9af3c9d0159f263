import type { Page, WebSocketRoute } from '@playwright/test'
import { annAndBen, messageBox, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, test } from './fixture.ts'

interface AuthInput {
  socket_id: string
  channel_name: string | string[]
}

/**
 * Returns the channels to which the page has subscribed, and a function that interrupts its connection with
 * Pusher's code 4200, which means: connect again at once.
 */
async function controlSockets(page: Page) {
  const subscribed = new Set<string>()
  let current: WebSocketRoute | undefined
  await page.routeWebSocket(/\/app\//, (socket) => {
    current = socket
    const server = socket.connectToServer()
    server.onMessage((message) => {
      const { event, channel } = JSON.parse(String(message))
      if (event === 'pusher_internal:subscription_succeeded') subscribed.add(channel)
      socket.send(message)
    })
  })
  const interrupt = () => void current!.close({ code: 4200, reason: 'Interrupted by the test' })
  return { subscribed, interrupt }
}

test('a page asks for the signatures of all its channels in one request, and again after an interruption', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  const inputs: AuthInput[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/my-broadcast-auth')) inputs.push(request.postDataJSON())
  })
  const { subscribed, interrupt } = await controlSockets(page)
  const channels = ['presence-here', `presence-user.${ann.id}`, `private-chat.${ann.id}.${ben.id}`]
  const expectSubscribed = () => expect.poll(() => channels.every((name) => subscribed.has(name))).toBe(true)
  const expectOneRequest = async () => {
    await expectSubscribed()
    expect(inputs.map(({ channel_name }) => [channel_name].flat().sort())).toEqual([channels])
  }
  await openChat(ann, ben)
  await expectSubscribed()
  inputs.length = 0
  subscribed.clear()
  await page.reload()
  await expectOneRequest()
  inputs.length = 0
  subscribed.clear()
  interrupt()
  await expectOneRequest()
})

const damaged = { status: 200, body: '' }
const failed = { status: 500, json: { message: 'Server Error' } }
/** `count` is the number of damaged or failed answers, and `alone` that of the later requests for one channel. */
const failures = {
  'with an error': { response: failed, count: 1, alone: 3 },
  'with a damaged body': { response: damaged, count: 1, alone: 0 },
  'twice with a damaged body': { response: damaged, count: 2, alone: 3 },
}

test('a page gets all its channels after a failed or damaged answer, and the others after a refusal of one', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  const sockets = await controlSockets(page)
  for (const [how, { response, count, alone }] of Object.entries(failures)) {
    const names: AuthInput['channel_name'][] = []
    await page.unroute('**/my-broadcast-auth')
    await page.route('**/my-broadcast-auth', async (route) => {
      names.push(route.request().postDataJSON().channel_name)
      await (names.length <= count ? route.fulfill(response) : route.continue())
    })
    if (how === 'with an error') await openChat(ann, ben)
    else sockets.interrupt()
    await expect.poll(() => names.length, how).toBe(count + (alone || 1))
    expect(names.filter((name) => !Array.isArray(name)).length, how).toBe(alone)
    expect([names[0]].flat().length, how).toBe(3)
    await sendMessage(ben, ann, `Hello ${how}`)
    await expect(messageLog(page).locator('.bubble').last()).toHaveText(`Hello ${how}`)
    await expect(messageBox(page)).toBeVisible()
  }

  const chat = `private-chat.${ann.id}.${ben.id}`
  await page.unroute('**/my-broadcast-auth')
  await page.route('**/my-broadcast-auth', async (route) => {
    const names: string[] = [route.request().postDataJSON().channel_name].flat()
    const response = await route.fetch()
    const signatures: unknown[] = [await response.json()].flat()
    const json = signatures.map((signature, index) => (names[index] === chat ? null : signature))
    await route.fulfill({ response, json })
  })
  sockets.subscribed.clear()
  sockets.interrupt()
  const others = ['presence-here', `presence-user.${ann.id}`]
  await expect.poll(() => others.every((name) => sockets.subscribed.has(name))).toBe(true)
  expect([...sockets.subscribed]).not.toContain(chat)
})
