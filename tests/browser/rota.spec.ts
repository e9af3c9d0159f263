import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('tasks and seats in cars are taken live, until there are none', async ({ member }) => {
  const [ann, ben, cleo] = [await member('Ann Wheel'), await member('Ben'), await member('Cleo')]
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const event = { title: 'Away game', zone: 'UTC', begins: `${day}T10:00`, ends: `${day}T12:00` }
  const { post } = await fetchJson(ann.page, 'POST', '/api/posts', { text: 'Come', extras: { event } })
  const found = await (await ann.page.request.get(`/api/events?posts=${post.id}`)).json()
  const path = `/events/${found[post.id].date.id}`
  for (const { page } of [ann, ben, cleo]) await page.goto(path)
  const rota = ({ page }: typeof ann) => page.getByRole('region', { name: 'Tasks and cars' })

  await rota(ann).getByRole('button', { name: 'Add a task' }).click()
  const form = ann.page.getByRole('dialog', { name: 'Add a task' })
  await form.getByRole('textbox').fill('Oranges')
  await form.getByRole('spinbutton').fill('1')
  await expectAccessible(ann.page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  await rota(ben).getByRole('button', { name: 'I will do it' }).focus()
  await ben.page.keyboard.press('Enter')
  await expect(rota(ben).getByRole('button', { name: 'Not me after all' })).toBeFocused()
  await expect(rota(ann).getByText('Full')).toBeVisible()
  await expect(rota(ann).getByRole('link', { name: /Ben/ })).toBeVisible()

  await expect(rota(cleo).getByRole('button', { name: 'Add a task' })).toHaveCount(0)
  await rota(cleo).getByRole('button', { name: 'Offer seats in a car' }).click()
  const car = cleo.page.getByRole('dialog', { name: 'Offer seats in a car' })
  await car.getByRole('button', { name: 'Save' }).click()
  await expect(car.getByText('The title field is required.')).toBeVisible()
  await car.getByRole('textbox').fill('Station, 9:00')
  await car.getByRole('button', { name: 'Save' }).click()
  await rota(ben).getByRole('button', { name: 'I ride along' }).click()
  await expect(rota(cleo).getByText('1 of 3')).toBeVisible()
  await expectAccessible(ben.page)
  await expectNoOverflow(ben.page)

  await rota(cleo).getByRole('button', { name: 'More about Station, 9:00' }).click()
  await cleo.page.getByRole('button', { name: 'Remove' }).click()
  await cleo.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(rota(ben).getByText('Station, 9:00')).toHaveCount(0)
  await ben.page.goto('/notifications')
  await expect(ben.page.getByRole('link', { name: /Cleo.*your event has changed/ })).toBeVisible()
})
