import { messageLog } from './chat-helpers.ts'
import { expect, fetchJson, test } from './fixture.ts'

test('a chat whose styles load late opens at the first unread message, and marks the others as unread', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', {
    name: 'Late styles',
  })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  const send = (message: string) =>
    fetchJson(aya.page, 'POST', '/api/group-messages/send', {
      group_id: group.id,
      message,
    })
  const { message } = await send('Read before')
  await fetchJson(ben.page, 'PUT', `/api/groups/${group.id}/read`, {
    last_read_id: message.id,
  })
  expect(await countUnread()).toBe(0)
  for (let line = 0; line < 60; line++) await send(`Line ${line}`)
  async function countUnread() {
    const answer = await ben.page.request.get('/api/unread')
    return (await answer.json()).groups[group.id] ?? 0
  }

  // Adds a style that makes the message list as tall as its messages, as it is while its own style sheet is
  // missing.
  await ben.page.addInitScript(() => {
    const unstyled = new CSSStyleSheet()
    unstyled.replaceSync('[role=log] { block-size: 6000px !important; flex: none !important }')
    document.adoptedStyleSheets = [unstyled]
    const timer = setInterval(() => {
      if (!document.querySelector('[role=log] [data-message]')) return
      clearInterval(timer)
      setTimeout(() => {
        document.adoptedStyleSheets = []
      }, 1000)
    }, 20)
  })
  await ben.page.goto(`/group-chat/${group.id}`)
  await expect(messageLog(ben.page).locator('[data-unread]')).toBeInViewport()
  await expect(messageLog(ben.page).getByText('Line 0', { exact: true })).toBeInViewport()
  await expect(messageLog(ben.page).getByText('Line 59')).not.toBeInViewport()
  expect(await countUnread()).toBeGreaterThan(20)
})
