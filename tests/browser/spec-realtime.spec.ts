import { follow } from './chat-helpers.ts'
import { expect, fetchJson, test } from './fixture.ts'
import { holdRequests } from './spec-helpers.ts'

// spec: 2.26, 2.30, 4.10, 4.11
for (const kind of ['private', 'group'] as const)
  test(`a ${kind} chat shows its history, then new messages; leaving its page leaves its channel`, async ({
    admin,
    member,
  }) => {
    const [ann, ben] = [await admin('Ann'), await member('Ben')]
    await follow(ann, ben)
    await follow(ben, ann)
    const { group } = await fetchJson(ann.page, 'POST', '/api/groups', {
      name: 'Kiln',
    })
    await fetchJson(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: ben.id,
    })
    const isPrivate = kind === 'private'
    const say = (message: string) =>
      isPrivate
        ? fetchJson(ben.page, 'POST', '/api/send-private-message', {
            input: message,
            targetUserId: ann.id,
          })
        : fetchJson(ben.page, 'POST', '/api/group-messages/send', {
            group_id: group.id,
            message,
          })
    const channel = isPrivate ? `private-chat.${ann.id}.${ben.id}` : `private-group-chat.${group.id}`
    const chat = isPrivate ? `/privatechat/${ben.id}` : `/group-chat/${group.id}`
    const { page } = ann
    const out: string[] = []
    const back: string[] = []
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => out.push(String(payload)))
      socket.on('framereceived', ({ payload }) => back.push(String(payload)))
    })
    const sent = (event: string) =>
      out
        .map((frame) => JSON.parse(frame))
        .filter((one) => one.event === event && one.data.channel === channel)
    const listReceivedFrames = (event: string) =>
      back.map((frame) => JSON.parse(frame)).filter((one) => one.event === event && one.channel === channel)

    await say('before')
    await page.goto(isPrivate ? '/users' : '/my-groups')
    const letGo = await holdRequests(page, isPrivate ? '**/api/messages/*' : '**/api/group-messages/*')
    await page.locator(`a[href="${chat}"]`).click()
    await expect(page.getByText('Loading...')).toBeVisible()
    await expect(page.locator('.bubble')).toHaveCount(0)
    letGo()
    await expect(page.locator('.bubble')).toHaveText(['before'])
    await expect.poll(() => listReceivedFrames('pusher_internal:subscription_succeeded').length).toBe(1)
    await say('after')
    await expect(page.locator('.bubble')).toHaveText(['before', 'after'])

    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Search Users' })
      .click()
    await expect.poll(() => sent('pusher:unsubscribe').length).toBe(1)
    const event = isPrivate ? 'PrivateMessageSent' : 'GroupMessageSent'
    await expect.poll(() => listReceivedFrames(event).length).toBe(1)
    await say('gone')
    await expect(page.getByRole('navigation', { name: 'Main', exact: true }).locator('.badge')).toContainText(
      '1',
    )
    expect(listReceivedFrames(event)).toHaveLength(1)
  })

// spec: 1.11, 2.31
test('a visitor writes in the public chat, and everybody with the page open receives it', async ({
  page,
  member,
}) => {
  const { page: ann } = await member('Ann')
  for (const one of [page, ann]) {
    await one.goto('/chat')
    await expect(one.getByText('Connected')).toBeVisible()
  }
  await page.getByPlaceholder('Enter your message').fill('Hello, everybody')
  await page.getByRole('button', { name: 'Send' }).click()
  for (const one of [page, ann]) await expect(one.getByRole('log')).toContainText('Hello, everybody')
  await expect(page.getByPlaceholder('Enter your message')).toHaveValue('')
})

// spec: 9.7
test('the WebSocket is encrypted on an https page, and connects only to the page’s own host', async ({
  page,
  server,
}) => {
  const lines: string[] = []
  await page.routeWebSocket(/\/app\//, (line) => void lines.push(line.url()))
  await page.route('https://town.example/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await page.request.fetch(server.url + pathname + search) })
  })
  await page.goto('https://town.example/')
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/^wss:\/\/town\.example(:443)?\/app\/engawa\?/)])
})
