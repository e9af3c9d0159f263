import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test.use({ viewport: { width: 390, height: 844 }, timezoneId: 'Asia/Tokyo' })

const read = async (page: Page, path: string) => (await page.request.get(path)).json()
const dayAfter = (days: number) =>
  new Date(Date.now() + 9 * 3600_000 + days * 86_400_000).toISOString().slice(0, 10)

const event = (more: object = {}) => ({
  ...{ title: 'Football', zone: 'Asia/Tokyo', begins: `${dayAfter(3)}T19:30`, ends: `${dayAfter(3)}T21:00` },
  ...more,
})

test('a member plans an event, others answer live, and who waits moves up', async ({ member }) => {
  const [ann, ben, cleo] = [await member('Ann'), await member('Ben'), await member('Cleo')]
  await ann.page.goto('/events')
  await ann.page.getByRole('button', { name: 'New event' }).click()
  const editor = ann.page.getByRole('group', { name: 'Event' })
  await editor.getByRole('textbox', { name: 'What?' }).fill('Lantern walk')
  await editor.getByRole('textbox', { name: 'Where? (optional)' }).fill('Bridge')
  await editor.getByText('Places, guests, repetition').click()
  await editor.getByRole('spinbutton', { name: 'Places (empty: no limit)' }).fill('1')
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await ann.page.getByRole('button', { name: 'Post', exact: true }).click()

  const cardOf = ({ page }: typeof ann) => page.getByRole('region', { name: 'Lantern walk' })
  await expect(cardOf(ann).getByText('0 of 1 places')).toBeVisible()
  await ben.page.goto('/')
  await cardOf(ben).getByRole('button', { name: /^Yes/ }).click()
  await expect(cardOf(ann).getByText('1 of 1 places')).toBeVisible()
  await cleo.page.goto('/')
  await cardOf(cleo).getByRole('button', { name: /^Yes/ }).click()
  await expect(cardOf(cleo).getByText(/number 1 on the waiting list/)).toBeVisible()
  await cardOf(ben).getByRole('button', { name: /^No/ }).click()
  await expect(cardOf(cleo).getByText(/waiting list/)).toHaveCount(0)
  await expect(cardOf(cleo).getByRole('button', { name: /^Yes/ })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(cleo.page)

  await cardOf(ann).getByRole('link', { name: 'Details' }).click()
  await expect(ann.page.getByRole('heading', { name: 'Lantern walk', level: 1 })).toBeVisible()
  await expect(ann.page.getByRole('link', { name: /Cleo/ })).toBeVisible()
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
})

test('the calendar shows a month and a list; a date is changed and cancelled', async ({ member }) => {
  const ann = await member('Ann')
  const extras = { event: event({ title: 'Tide table', repeats: { unit: 'week', until: dayAfter(20) } }) }
  await fetchJson(ann.page, 'POST', '/api/posts', { text: 'Every week', extras })
  await ann.page.goto('/events')
  const row = ann.page.getByRole('link', { name: /Tide table/ })
  await expect(row).toHaveCount(3)
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await ann.page.getByRole('button', { name: 'Month' }).click()
  const day = new Intl.DateTimeFormat('en-GB', { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(dayAfter(3)),
  )
  if (!dayAfter(3).startsWith(dayAfter(0).slice(0, 7)))
    await ann.page.getByRole('button', { name: 'Later' }).click()
  await ann.page.getByRole('button', { name: new RegExp(` ${day}\\b`) }).click()
  await expectAccessible(ann.page)
  await row.click()
  const menu = ann.page.getByRole('button', { name: 'More about the event' })
  await menu.click()
  await ann.page.getByRole('button', { name: 'Change…' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Change the event' })
  await dialog.getByRole('textbox', { name: 'Where? (optional)' }).fill('Harbour')
  await dialog.getByRole('radio', { name: 'All dates to come' }).check()
  await expectAccessible(ann.page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(ann.page.getByText('Harbour')).toBeVisible()
  await menu.click()
  await ann.page.getByRole('button', { name: 'Cancel the event…' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Cancel the event' }).click()
  await expect(ann.page.locator('h1').getByText('Cancelled')).toBeVisible()
})

test('who has come is marked without a signal, and sent after it', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const now = new Date(Date.now() + 9 * 3600_000 + 3600_000).toISOString().slice(0, 16)
  const later = new Date(Date.now() + 9 * 3600_000 + 7200_000).toISOString().slice(0, 16)
  const extras = { event: event({ title: 'Roof day', begins: now, ends: later }) }
  const { post } = await fetchJson(ann.page, 'POST', '/api/posts', { text: 'Today', extras })
  const { date } = (await read(ann.page, `/api/events?posts=${post.id}`))[post.id]
  await fetchJson(ben.page, 'PUT', `/api/events/dates/${date.id}/answer`, { answer: 'yes' })
  await ann.page.goto(`/events/${date.id}`)
  await ann.page.getByRole('button', { name: 'More about the event' }).click()
  await ann.page.getByRole('button', { name: 'Who is there' }).click()
  // Those who come are first; the server has other people of this name.
  const here = ann.page.getByRole('button', { name: /Ben.*: here/ }).first()
  await expect(here).toBeVisible()
  await ann.page.context().setOffline(true)
  await here.click()
  await expect(here).toHaveAttribute('aria-pressed', 'true')
  await expect(ann.page.getByText('1 mark waits for a signal')).toBeVisible()
  await ann.page.context().setOffline(false)
  await expect(ann.page.getByText('1 mark waits for a signal')).toHaveCount(0)
  const guests = await read(ann.page, `/api/events/dates/${date.id}/guests`)
  expect(guests).toMatchObject([{ attendance: 'here' }])
  await expectAccessible(ann.page)
})

test('the best day of a poll becomes an event, and a calendar gets an address', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const options = [{ day: dayAfter(4), time: '18:00' }, { day: dayAfter(5) }]
  const extras = { poll: { kind: 'dates', options } }
  const { post } = await fetchJson(ann.page, 'POST', '/api/posts', { text: 'When shall we sail?', extras })
  const poll = (await read(ann.page, `/api/polls?posts=${post.id}`)).posts[post.id]
  const answers = [{ option: poll.options[0].id, answer: 'yes' }]
  await fetchJson(ben.page, 'PUT', `/api/polls/${poll.id}/vote`, { answers })
  await ann.page.goto(`/posts/${post.id}`)
  await ann.page.getByRole('button', { name: 'Make an event of the best day' }).click()
  const editor = ann.page.getByRole('group', { name: 'Event' })
  await expect(editor.getByRole('textbox', { name: 'What?' })).toHaveValue('When shall we sail?')
  await expect(editor.getByLabel('Day', { exact: true })).toHaveValue(dayAfter(4))
  await ann.page.goto('/events')
  await ann.page.getByRole('button', { name: 'Make an address' }).click()
  const address = ann.page.getByRole('textbox', { name: 'Address' })
  await expect(address).toHaveValue(/^http:.*\/calendars\/[\w-]{43}\/events\.ics$/)
  await ann.page.reload()
  await expect(ann.page.getByText('You have an address since')).toBeVisible()
  await expect(address).toHaveCount(0)
})

test('an event without an answer is on the page of what waits', async ({ member }) => {
  const host = await member('Hostwaits')
  const { page } = await member('Guestwaits')
  await page.goto('/waiting')
  const section = page.getByRole('region', { name: 'Events without your answer' })
  const extras = { event: event({ title: 'Leaf raking' }) }
  await fetchJson(host.page, 'POST', '/api/posts', { text: 'Rakes!', extras })
  await page.reload()
  await section.getByRole('link', { name: /Leaf raking/ }).click()
  await page.getByRole('button', { name: /^Yes/ }).first().click()
  await expect(page.getByRole('button', { name: /^Yes/ }).first()).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/waiting')
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
  await expect(section.getByText('Leaf raking')).toHaveCount(0)
})
