import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test('an owner opens a group; others find it by its reading, ask, are accepted, and join in one tap', async ({
  admin,
  member,
}) => {
  const ann = await admin('Ann')
  const ben = await member('Ben')
  for (const { page } of [ann, ben]) await page.setViewportSize({ width: 390, height: 844 })
  const create = async (name: string) =>
    (await fetchJson(ann.page, 'POST', '/api/groups', { name })).group.id as number
  const [hill, brass] = [await create('欅坂子ども会'), await create('Brass of the harbour')]

  await ann.page.goto(`/group-chat/${hill}`)
  await ann.page.getByRole('button', { name: 'More' }).click()
  await ann.page.getByRole('link', { name: 'Who can join' }).click()
  await ann.page.getByRole('radio', { name: 'People ask, and you decide' }).check()
  await ann.page.getByLabel('How the name is read').fill('けやきざかこどもかい')
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await ann.page.getByRole('button', { name: 'Save' }).click()
  await expect(ann.page.getByText('People ask to join. Its owner or an admin decides.')).toBeVisible()

  await ben.page.goto('/my-groups')
  await ben.page.getByRole('link', { name: 'Find groups' }).click()
  await ben.page.getByRole('searchbox', { name: 'Find a group by its name' }).fill('ケヤキザカ')
  await ben.page.getByRole('button', { name: 'Ask to join 欅坂子ども会' }).click()
  await expect(ben.page.getByText('You have asked', { exact: true })).toBeVisible()
  await expectAccessible(ben.page)
  await expectNoOverflow(ben.page)
  await ben.page.getByRole('button', { name: 'Take back the request to join 欅坂子ども会' }).click()
  await ben.page.getByRole('button', { name: 'Ask to join 欅坂子ども会' }).click()
  await expect(ben.page.getByText('You have asked', { exact: true })).toBeVisible()

  await ann.page.getByRole('link', { name: /pe(rson|ople) would like to join/ }).click()
  const row = ann.page.getByRole('listitem').filter({ hasText: '欅坂子ども会' })
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await row.getByRole('button', { name: 'Accept Ben in 欅坂子ども会' }).click()
  await expect(row).toHaveCount(0)
  await expect(ben.page.getByRole('link', { name: 'Open the chat of 欅坂子ども会' })).toBeVisible()

  await ben.page.getByRole('button', { name: 'Clear' }).click()
  await fetchJson(ann.page, 'PUT', `/api/groups/${brass}/access`, { access: 'open' })
  await ben.page.getByRole('button', { name: 'Join Brass of the harbour' }).click()
  await ben.page.getByRole('link', { name: 'Open the chat of Brass of the harbour' }).click()
  await expect(ben.page.getByText('Ben joined')).toBeVisible()
})

test('a link brings a member into a closed group; a visitor comes back to it after the registration', async ({
  admin,
  member,
  page: zoe,
}) => {
  const ann = await admin('Ann')
  const ben = await member('Ben')
  const { group } = await fetchJson(ann.page, 'POST', '/api/groups', { name: 'Rowers of the dike' })
  for (const { page } of [ann, ben]) await page.setViewportSize({ width: 390, height: 844 })
  await ann.page.goto(`/groups/${group.id}`)
  await ann.page.getByRole('button', { name: 'Make a link' }).click()
  await expect(ann.page.getByRole('img', { name: 'QR code to join Rowers of the dike' })).toBeVisible()
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  const link = await ann.page.locator('.made-link p').textContent()
  await ann.page.emulateMedia({ media: 'print' })
  await expect(ann.page.locator('.group-sheet')).toContainText('Rowers of the dike')
  await ann.page.emulateMedia({ media: 'screen' })

  await ben.page.goto(link!)
  await ben.page.getByRole('button', { name: 'Join Rowers of the dike' }).click()
  await expect(ben.page.getByRole('link', { name: 'Open the chat of Rowers of the dike' })).toBeVisible()

  await zoe.goto(link!)
  await zoe.getByRole('alert').getByRole('link', { name: 'Log in' }).click()
  await zoe.locator('main a[href="/register"]').click()
  await zoe.getByLabel('User name').fill('Zoe')
  await zoe.getByLabel('Email address').fill(`zoe.${Date.now()}@engawa.example`)
  await zoe.getByLabel('Password').fill('the boat is on the water')
  await zoe.getByRole('button', { name: 'Register' }).click()
  await zoe.getByRole('link', { name: 'Continue' }).click()
  await zoe.getByRole('button', { name: 'Join Rowers of the dike' }).click()
  await expect(zoe.getByRole('link', { name: 'Open the chat of Rowers of the dike' })).toBeVisible()
})
