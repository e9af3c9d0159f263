import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test('a member reads all that is new to its end, marks it as seen, and the tablet knows', async ({
  member,
}) => {
  const ann = await member('Annika')
  const grandma = await member('Großmutter Ilse')
  const { page } = grandma
  await page.setViewportSize({ width: 390, height: 844 })
  const { handle } = await (await page.request.get('/api/user')).json()
  const text = `Reminder for @${handle}: bring the blue cups`
  await fetchJson(ann.page, 'POST', '/api/posts', { text })
  await fetchJson(ann.page, 'POST', '/api/posts', { text: 'The plum tree blossoms' })

  await page.goto('/notifications')
  await page.getByRole('link', { name: 'Since you were here' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Since you were here' })).toBeVisible()
  const forMe = page.getByRole('region', { name: 'For you' })
  await expect(forMe.getByRole('link', { name: /blue cups/ })).toBeVisible()
  const rest = page.getByRole('region', { name: 'Also new' })
  await expect(rest.getByRole('link', { name: /plum tree/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'That is all.' })).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)

  const tablet = await page.context().newPage()
  await tablet.goto('/since')
  await expect(tablet.getByRole('link', { name: /plum tree/ })).toBeVisible()

  await page.getByRole('button', { name: 'I have seen it all' }).focus()
  await page.keyboard.press('Enter')
  // What others ask of all members stays, without the button.
  for (const device of [page, tablet]) {
    await expect(device.getByRole('button', { name: 'I have seen it all' })).toHaveCount(0)
    await expect(device.getByRole('region', { name: 'Also new' })).toHaveCount(0)
    await expect(device.getByRole('link', { name: /plum tree|blue cups/ })).toHaveCount(0)
  }
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'To the posts' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('the page is complete in Japanese, and begins with what waits for the member', async ({
  admin,
  member,
}) => {
  const ann = await admin('Akiko')
  const ben = await member('Bunta', { lang: 'ja' })
  const extras = { acknowledgement: {} }
  const { post } = await fetchJson(ann.page, 'POST', '/api/posts', { text: '遠足のしおり', extras })
  const { page } = ben
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/since')
  await expect(page.getByRole('heading', { level: 1, name: '前回からの新着' })).toBeVisible()
  const asked = page.getByRole('region', { name: 'あなたへのお願い' })
  await expect(asked.getByRole('link', { name: /確認のお願いです.*遠足のしおり/ })).toBeVisible()
  await expect(page.getByText('ほかに新着はありません。')).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await asked.getByRole('link', { name: /遠足のしおり/ }).click()
  await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`))
})
