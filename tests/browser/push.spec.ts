import type { BrowserContext, Page, Worker } from '@playwright/test'
import { type PushBrowser, type PushService, startServiceOnPort } from '#tests/push-service-server.ts'
import { startServer, stopServers } from '#tests/server.ts'
import { annAndBen, sendMessage } from './chat-helpers.ts'
import { test as base, expect, expectAccessible, fetchJson, type PageMember, writePost } from './fixture.ts'
import { chromiumOptions, chromiumPath } from './full-chromium.ts'
import { BLANK_PATH } from './seats.ts'

// These tests cannot use the push service of Chromium, because it is on the internet. So they replace
// `PushManager` in the page by one that returns subscriptions of the test's own push service. Everything else
// is real: the server encrypts and sends, the test decrypts what the push service received, and the service
// worker shows real notifications. The tests dispatch the events of the delivery and of a click in the service
// worker: Chromium cannot click a notification for a test, and does not say when a delivery fails.

const test = base.extend<object, { pushService: PushService }>({
  pushService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixtures from the pattern
    async ({}, use) => {
      const service = await startServiceOnPort()
      await use(service)
      service.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ pushService }, use) => {
      await use(await startServer({ RATE_LIMIT: 'off', PUSH_LOCAL_SERVICE: pushService.origin }))
      await stopServers()
    },
    { scope: 'worker' },
  ],
})
test.use(chromiumOptions)
test.skip(!chromiumPath, 'The headless shell shows no notifications.')

/**
 * Replaces `PushManager` in all pages of a browser context, so that it returns the given subscription.
 * Records in the page when it subscribes, unsubscribes, or asks for the permission.
 */
async function replacePushManager(context: BrowserContext, { subscription }: PushBrowser) {
  await context.addInitScript((json) => {
    const log: string[] = []
    Object.assign(window, { pushLog: log })
    const made = { toJSON: () => json, unsubscribe: async () => Boolean(log.push('unsubscribe')) }
    let current: typeof made | null = null
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      subscribe: async () => {
        log.push('subscribe')
        return (current = made)
      },
    })
    const ask = Notification.requestPermission.bind(Notification)
    Notification.requestPermission = () => {
      log.push('permission')
      return ask()
    }
  }, subscription)
}
const readPushLog = (page: Page) => page.evaluate(() => (window as unknown as { pushLog: string[] }).pushLog)

const section = (page: Page) => page.locator('#push')

/** Turns push messages on, on the account page. Returns the device, for `receive`. */
async function turnOn({ page }: PageMember, pushService: PushService) {
  const browser = pushService.createBrowser()
  await page.context().grantPermissions(['notifications'])
  await replacePushManager(page.context(), browser)
  await page.goto('/account')
  await section(page).getByRole('button', { name: 'Set up notifications' }).click()
  await section(page).getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on.')).toBeVisible()
  return browser
}

/** Waits until a device has more than `known` push messages. Returns the text of the newest one. */
async function receive(pushService: PushService, device: PushBrowser, known = 0) {
  await expect.poll(() => pushService.receivedAt(device.path).length).toBeGreaterThan(known)
  return device.decryptText(pushService.receivedAt(device.path).at(-1)!)
}

/** Dispatches a push message in the service worker, and waits until the worker has handled it. */
const deliver = (page: Page, data: string) =>
  workerOf(page).evaluate(async (text) => {
    const Push = Reflect.get(self, 'PushEvent') as new (name: string, init: object) => Event
    const event = new Push('push', { data: text })
    let done: Promise<unknown> = Promise.resolve()
    Object.defineProperty(event, 'waitUntil', { value: (work: Promise<unknown>) => (done = work) })
    self.dispatchEvent(event)
    await done
  }, data)
const workerOf = (page: Page) => page.context().serviceWorkers()[0] as Worker

/** A notification with `actions`: TypeScript does not know this field, which not all browsers have. */
type NotificationWithActions = Notification & { actions: { action: string }[] }
const listNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const notifications = (await registration.getNotifications()) as NotificationWithActions[]
    return notifications.map(({ title, body, tag, lang, actions }) => ({
      title,
      body,
      tag,
      lang,
      actions: actions.map(({ action }) => action),
    }))
  })

/**
 * Dispatches a click on the only notification, or on one of its actions, in the service worker. Returns the
 * pages that the worker opened, and the number of notifications that are left.
 */
async function click(page: Page, action = '', reply: string | null = null) {
  return workerOf(page).evaluate(
    async ([name, text]) => {
      const scope = self as unknown as {
        registration: { getNotifications(): Promise<object[]> }
        clients: { openWindow: (path: string) => Promise<null> }
      }
      const opened: string[] = []
      // Replaces `openWindow` by a function that records the path, because a worker may open a window only
      // after a real click.
      scope.clients.openWindow = async (path) => {
        opened.push(path)
        return null
      }
      const [notification] = await scope.registration.getNotifications()
      const Click = Reflect.get(self, 'NotificationEvent') as new (name: string, init: object) => Event
      const event = new Click('notificationclick', { notification, action: name })
      let done: Promise<unknown> = Promise.resolve()
      Object.defineProperties(event, {
        action: { value: name },
        reply: { value: text },
        waitUntil: { value: (work: Promise<unknown>) => (done = work) },
      })
      self.dispatchEvent(event)
      await done
      return { opened, left: (await scope.registration.getNotifications()).length }
    },
    [action, reply] as const,
  )
}

const readJson = async (page: Page, path: string) => (await page.request.get(path)).json()

test('the permission is asked for only after words and a click, and the device gets a test message', async ({
  member,
  pushService,
}) => {
  const ann = await member('Ann')
  const { page } = ann
  const browser = pushService.createBrowser()
  await page.context().grantPermissions(['notifications'])
  await replacePushManager(page.context(), browser)
  await page.goto('/account')
  await expect(section(page)).toContainText('This device can tell you what is new')
  await section(page).getByRole('button', { name: 'Set up notifications' }).click()
  await expect(section(page)).toContainText('The browser will ask you for permission.')
  expect(await readPushLog(page)).toEqual([])
  await section(page).getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on.')).toBeVisible()
  expect(await readPushLog(page)).toEqual(['permission', 'subscribe'])
  expect((await readJson(page, '/api/push')).devices).toMatchObject([{ is_current: true }])
  await expectAccessible(page)

  const test_ = section(page).getByRole('button', { name: /^Test / })
  await test_.click()
  await expect(page.getByText('The notification is on its way.')).toBeVisible()
  expect(browser.decrypt(pushService.receivedAt(browser.path)[0]!)).toMatchObject({ tag: 'test' })
  pushService.answer(browser.path, [500])
  await test_.click()
  await expect(page.getByText('The push service did not take the notification.')).toBeVisible()
  pushService.answer(browser.path, [410])
  await test_.click()
  await expect(page.getByText('It was removed.')).toBeVisible()
  await expect(section(page).getByRole('button', { name: 'Turn on notifications' })).toBeVisible()
  expect((await readJson(page, '/api/push')).devices).toEqual([])
})

test('a message is shown as a notification, but not in the conversation that is on screen', async ({
  member,
  pushService,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  const device = await turnOn(ann, pushService)
  await sendMessage(ben, ann, 'Tea at four?')
  const text = await receive(pushService, device)
  await deliver(page, text)
  const path = `/privatechat/${ben.id}`
  await expect
    .poll(() => listNotifications(page))
    .toEqual([{ title: 'Ben', body: 'Tea at four?', tag: path, lang: 'en', actions: ['reply', 'read'] }])

  expect(await click(page)).toEqual({ opened: [path], left: 0 })

  await page.goto(path)
  await page.bringToFront()
  await deliver(page, text)
  // Delivers a message for another page, which shows a notification. So the delivery of the first message has
  // ended before.
  await deliver(page, text.replaceAll(path, '/group-chat/1'))
  await expect
    .poll(async () => (await listNotifications(page)).map(({ tag }) => tag))
    .toEqual(['/group-chat/1'])
})

test('the buttons of a notification mark as read, reply, and like', async ({ member, pushService }) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  const device = await turnOn(ann, pushService)
  const countUnread = async () => (await readJson(page, '/api/unread')).private[ben.id] ?? 0
  await sendMessage(ben, ann, 'one')
  const first = await receive(pushService, device)
  await deliver(page, first)
  await expect.poll(() => listNotifications(page)).toHaveLength(1)
  expect(await countUnread()).toBe(1)
  expect(await click(page, 'read')).toEqual({ opened: [], left: 0 })
  expect(await countUnread()).toBe(0)

  await deliver(page, first)
  await expect.poll(() => listNotifications(page)).toHaveLength(1)
  expect(await click(page, 'reply', 'On my way')).toEqual({ opened: [], left: 0 })
  const messages = JSON.stringify(await readJson(ben.page, `/api/messages/${ann.id}`))
  expect(messages).toContain('On my way')

  const post = await writePost(page, 'My garden')
  const { id: postId } = post.post ?? post
  const sent = pushService.receivedAt(device.path).length
  const reply = await fetchJson(ben.page, 'POST', `/api/posts/${postId}/replies`, {
    text: 'Lovely',
  })
  const replyId = (reply.reply ?? reply).id
  await deliver(page, await receive(pushService, device, sent))
  await expect.poll(async () => (await listNotifications(page))[0]?.actions).toEqual(['like', 'read'])
  expect(await click(page, 'like')).toEqual({ opened: [], left: 0 })
  const replies = await readJson(page, `/api/posts/${postId}/replies`)
  expect(JSON.stringify(replies)).toMatch(new RegExp(`"id":${replyId}\\b.*"liked_by_me":true`))
})

test('a button whose call fails opens the page instead', async ({ member, pushService }) => {
  const { ann, ben } = await annAndBen(member)
  const device = await turnOn(ann, pushService)
  await sendMessage(ben, ann, 'one')
  await deliver(ann.page, await receive(pushService, device))
  await expect.poll(() => listNotifications(ann.page)).toHaveLength(1)
  await ann.page.context().clearCookies()
  expect(await click(ann.page, 'read')).toEqual({ opened: [`/privatechat/${ben.id}`], left: 0 })
})

test('the notifications of a member close at the log-out, and their buttons do nothing for the next member', async ({
  member,
  pushService,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  const device = await turnOn(ann, pushService)
  await sendMessage(ben, ann, 'one')
  const text = await receive(pushService, device)
  await deliver(page, text)
  await expect.poll(() => listNotifications(page)).toHaveLength(1)
  await page.goto('/logout')
  await expect(page.locator('.notice.success')).toBeVisible()
  await expect.poll(() => listNotifications(page)).toEqual([])

  const cleo = await member('Cleo')
  // Leaves the page, which would close the next notification as soon as it notices that Cleo is logged in.
  await page.goto(BLANK_PATH)
  await page.context().clearCookies()
  await page.context().addCookies(await cleo.page.context().cookies())
  const calls: string[] = []
  page
    .context()
    .on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  // Delivers a notification for another member, to see when the page has closed such notifications. The page
  // does this only once, when it opens, so the next notifications stay.
  await deliver(page, text)
  await expect.poll(() => listNotifications(page)).toHaveLength(1)
  await page.goto('/')
  await expect.poll(() => listNotifications(page)).toEqual([])
  for (const [action, reply] of [
    ['read', null],
    ['reply', 'Hello'],
  ] as const) {
    await deliver(page, text)
    await expect.poll(() => listNotifications(page)).toHaveLength(1)
    expect(await click(page, action, reply)).toEqual({ opened: [`/privatechat/${ben.id}`], left: 0 })
  }
  expect(calls.filter((call) => /^(POST|PUT) .*(conversations|send-private-message)/.test(call))).toEqual([])
  await deliver(page, text)
  await expect.poll(() => listNotifications(page)).toHaveLength(1)
  await page.reload()
  await expect.poll(() => listNotifications(page)).toEqual([])
})
