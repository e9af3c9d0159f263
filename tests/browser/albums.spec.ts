import { expect, expectAccessible, expectNoOverflow, fetchJson, pictureFile, test } from './fixture.ts'

const phone = { width: 390, height: 844 }

test('many pictures go into an album at once, go on after an interruption, and are there for others at once', async ({
  member,
}) => {
  const ann = await member('Ann Albumina')
  const ben = await member('Ben Albumino')
  for (const { page } of [ann, ben]) await page.setViewportSize(phone)
  await ann.page.goto('/albums')
  await ann.page.getByRole('button', { name: 'New album' }).first().click()
  await ann.page.getByRole('dialog').getByLabel('Title').fill('Plum blossoms')
  await expectAccessible(ann.page)
  await ann.page.getByRole('dialog').getByRole('button', { name: 'New album' }).click()
  await expect(ann.page.getByRole('heading', { name: 'Plum blossoms', level: 1 })).toBeVisible()
  await expect(ann.page.getByText('No pictures yet')).toBeVisible()
  await expectAccessible(ann.page)
  await ben.page.goto(new URL(ann.page.url()).pathname)
  await expect(ben.page.getByText('No pictures yet')).toBeVisible()

  let isCut = true
  await ann.page.route('**/api/albums/*/pictures', (route) =>
    route.request().method() === 'POST' && isCut ? route.abort() : route.continue(),
  )
  const files = await Promise.all(['plum', 'bough', 'petal', 'plum'].map((name) => pictureFile(name)))
  await ann.page.locator('input[type=file]').setInputFiles(files)
  await expect(ann.page.getByText('It goes on by itself as soon as there is one.')).toBeVisible()
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  isCut = false
  await ann.page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(ann.page.getByText('3 pictures were added.')).toBeVisible()
  await expect(ann.page.getByText('1 was in the album already.')).toBeVisible()
  for (const { page } of [ann, ben]) {
    await expect(page.getByRole('button', { name: /^Picture \d, by Ann Albumina/ })).toHaveCount(3)
    await expect(page.getByText('3 pictures · All members')).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
  }

  await ben.page.locator('input[type=file]').setInputFiles(files.slice(0, 1))
  await expect(ben.page.getByText('1 was in the album already.')).toBeVisible()
})

test('pictures are shown one after the other, by date and by person, and removed by who added them', async ({
  member,
}) => {
  const ann = await member('Ann Frameworth')
  const ben = await member('Ben Frameworth')
  const { id } = await fetchJson(ann.page, 'POST', '/api/albums', { title: 'Snow of the year' })
  await ann.page.goto(`/albums/${id}`)
  await ann.page
    .locator('input[type=file]')
    .setInputFiles([await pictureFile('snow'), await pictureFile('ice')])
  await expect(ann.page.getByText('2 pictures were added.')).toBeVisible()
  await ben.page.goto(`/albums/${id}`)
  await ben.page.locator('input[type=file]').setInputFiles([await pictureFile('frost')])
  await expect(ben.page.getByText('1 picture was added.')).toBeVisible()

  const { page } = ann
  await expect(page.getByText('3 pictures · All members')).toBeVisible()
  await page.getByRole('button', { name: 'By date' }).click()
  await expect(page).toHaveURL(/sort=taken/)
  await expect(page.getByRole('button', { name: /^Picture/ })).toHaveCount(3)
  await page.getByLabel('Added by').selectOption({ label: 'Ben Frameworth (1)' })
  await expect(page.getByRole('button', { name: /^Picture/ })).toHaveCount(1)
  await page.getByLabel('Added by').selectOption({ label: 'Everybody' })

  await page.getByRole('button', { name: 'Slide show' }).click()
  const lightbox = page.getByRole('dialog', { name: 'Pictures' })
  await expect(lightbox.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(lightbox.getByText('2 of 3')).toBeVisible({ timeout: 15_000 })
  await lightbox.getByRole('button', { name: 'Pause' }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(lightbox).toHaveCount(0)

  await page.getByRole('button', { name: /^Picture 1, by Ann Frameworth/ }).click()
  await lightbox.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await expect(page.getByText('2 pictures · All members')).toBeVisible()
  await expect(ben.page.getByRole('button', { name: /^Picture/ })).toHaveCount(2)

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Delete the album…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the album' }).click()
  await expect(page).toHaveURL('/albums')
  await expect(ben.page.getByText('This album was deleted.')).toBeVisible()
})
