import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test('an admin asks in two presses; an answer without a signal waits; the board fills, until the end', async ({
  admin,
  member,
}) => {
  const ann = await admin('Ann')
  const ben = await member('Ben')
  for (const { page } of [ann, ben]) await page.setViewportSize({ width: 390, height: 844 })
  // A group of its own, because all tests of the worker share the community.
  const { group } = await fetchJson(ann.page, 'POST', '/api/groups', { name: 'Choir of the hall' })
  await fetchJson(ann.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  await fetchJson(ben.page, 'PUT', '/api/account/phone', { number: '090-1234', shown_to: 'owners' })
  await ben.page.goto('/users')

  await ann.page.goto('/roll-calls')
  await ann.page.getByRole('button', { name: 'Start a roll call' }).click()
  await ann.page.getByLabel('Who is asked?').selectOption({ label: 'Choir of the hall' })
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await ann.page.getByRole('button', { name: 'Ask now' }).click()
  const confirm = ann.page.getByRole('dialog', { name: 'Ask them now?' })
  await expect(confirm).toContainText('All members of “Choir of the hall” are notified')
  await confirm.getByRole('button', { name: 'Ask now' }).click()
  await expect(ann.page.getByRole('heading', { name: 'Earthquake: are you safe?', level: 1 })).toBeVisible()
  await expect(ann.page.getByRole('button', { name: '2 No answer yet' })).toBeVisible()

  const strip = ben.page.getByRole('complementary', { name: 'Roll call: please answer' })
  await expectAccessible(ben.page)
  await strip.getByRole('link').click()
  await expect(ben.page.getByRole('heading', { name: 'How are you?' })).toBeVisible()
  await expect(strip).toHaveCount(0)
  await ben.page.route('**/api/roll-calls/*/answer', (route) => route.fulfill({ status: 500, json: {} }))
  await ben.page.getByRole('button', { name: 'I need help' }).click()
  await expect(ben.page.getByText('Your answer waits here and is sent by itself.')).toBeVisible()
  await ben.page.unroute('**/api/roll-calls/*/answer')
  await ben.page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(ben.page.getByText('Your answer waits here')).toHaveCount(0)
  await expectAccessible(ben.page)
  await expectNoOverflow(ben.page)

  await expect(ann.page.getByRole('button', { name: '1 Need help' })).toBeVisible()
  const first = ann.page.locator('.roll-call-members li').first()
  await expect(first).toContainText('Ben')
  await expect(first.getByRole('link', { name: 'Call Ben: 090-1234' })).toHaveAttribute('href', 'tel:0901234')
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await ann.page.getByRole('button', { name: 'End the roll call' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'End the roll call' }).click()
  await expect(ann.page.getByText('This roll call has ended.')).toBeVisible()
})
