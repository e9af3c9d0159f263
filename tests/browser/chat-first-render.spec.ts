import { messageLog } from './chat-helpers.ts'
import { expect, fetchJson, test } from './fixture.ts'

interface FirstRenderRecord {
  /** The numbers of messages in the document, in the order in which they appeared. */
  counts: number[]
  /** Whether the first render filled the list. */
  isFilled: boolean
  /** The layout shifts: the size of each, the number of messages at this time, and the shifted elements. */
  shifts: (string | number)[][]
}

test('a chat shows its newest messages first, and does not move when it adds the older ones; in a low window, it keeps messages below unread', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', {
    name: 'First render',
  })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  // Two authors send in turns, so that each message is a message group of its own.
  for (let line = 1; line <= 60; line++)
    await fetchJson([aya, ben][line % 2]!.page, 'POST', '/api/group-messages/send', {
      group_id: group.id,
      message: `Line ${line}`,
    })
  const answer = await ben.page.request.get(`/api/group-messages/${group.id}`)
  const messages: { id: number }[] = await answer.json()
  await fetchJson(ben.page, 'PUT', `/api/groups/${group.id}/read`, {
    last_read_id: Math.max(...messages.map(({ id }) => id)),
  })
  await ben.page.addInitScript(() => {
    const record: FirstRenderRecord = { counts: [], isFilled: false, shifts: [] }
    Object.assign(globalThis, { record })
    new MutationObserver(() => {
      const count = document.querySelectorAll('[role=log] [data-message]').length
      if (count === (record.counts.at(-1) ?? 0)) return
      if (record.counts.push(count) > 1) return
      const list = document.querySelector('[role=log]')!
      requestAnimationFrame(() => Object.assign(record, { isFilled: list.scrollHeight > list.clientHeight }))
    }).observe(document, { childList: true, subtree: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        sources: readonly { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[]
      })[])
        record.shifts.push([
          entry.value,
          record.counts.at(-1) ?? 0,
          ...entry.sources.map(
            ({ node, previousRect, currentRect }) =>
              `${node?.className} from ${previousRect.y} to ${currentRect.y}`,
          ),
        ])
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await ben.page.goto(`/group-chat/${group.id}`)
  const log = messageLog(ben.page)
  await expect(log.getByText('Line 60')).toBeInViewport()
  await expect(log.getByText('Line 11', { exact: true })).toBeAttached()
  await ben.page.waitForLoadState('networkidle')
  await expect(log.getByText('Line 60')).toBeInViewport()
  const { counts, isFilled, shifts } = await ben.page.evaluate(
    () => (globalThis as unknown as { record: FirstRenderRecord }).record,
  )
  expect(counts[0]).toBeLessThan(40)
  expect(isFilled).toBe(true)
  expect(shifts, `after renders of ${counts} messages`).toEqual([])

  // Opens the chat again in a low window, at the first of thirty unread messages.
  await ben.page.goto('about:blank')
  await ben.page.setViewportSize({ width: 390, height: 240 })
  for (let line = 61; line <= 90; line++)
    await fetchJson(aya.page, 'POST', '/api/group-messages/send', {
      group_id: group.id,
      message: `Line ${line}`,
    })
  await ben.page.goto(`/group-chat/${group.id}`)
  await expect(log.getByText('Unread', { exact: true })).toBeInViewport()
  await ben.page.waitForLoadState('networkidle')
  await expect(log.getByText('Unread', { exact: true })).toBeInViewport()
  await expect(log.getByText('Line 90')).not.toBeInViewport()
  const unread = await (await ben.page.request.get('/api/unread')).json()
  expect(unread.groups[group.id]).toBeGreaterThan(20)
})
