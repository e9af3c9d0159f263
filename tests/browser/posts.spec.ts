import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, holdPictures, pictureFile, test } from './fixture.ts'

// spec: 1.2, 5.1
test('a post with pictures: up to four are accepted, described, ordered and shown', async ({ member }) => {
  const { page, name } = await member('Ann')
  await page.goto('/post')
  await page.getByLabel('Text of the post').fill('Lantern night 🏮')
  const files = await Promise.all(
    ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => pictureFile(name)),
  )
  await page.locator('input[type=file]').setInputFiles(files)
  await expect(page.locator('.tile')).toHaveCount(4)
  await expect(page.getByText('2 pictures were not added (limit 4)')).toBeVisible()

  await page.getByRole('button', { name: 'Remove picture 4' }).click()
  await expect(page.locator('.tile')).toHaveCount(3)
  await page.getByRole('button', { name: 'Add a description of picture 1' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('Paper lanterns')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Move picture 1 later' }).click()

  await page.getByLabel('Remind me before I post').check()
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('button', { name: 'Post anyway' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Post submitted successfully.' })).toBeVisible()
  await expect(page).toHaveURL('/')
  const post = page.getByRole('article', { name: `Post by ${name}` }).first()
  await expect(post).toContainText('Lantern night 🏮')
  await expect(post.locator('.picture')).toHaveCount(3)
  await expect(post.locator('.picture img').nth(1)).toHaveAttribute('alt', 'Paper lanterns')
  // Waits until the pictures have loaded. Decoding fails if a picture cannot be shown.
  await post
    .locator('.picture img')
    .evaluateAll((images) => Promise.all(images.map((image) => (image as HTMLImageElement).decode())))
})

test('a press on “Post” while pictures are prepared counts, unless the text changes', async ({ member }) => {
  const { page } = await member('Ann')
  const text = page.getByLabel('Text of the post')
  const send = page.getByRole('button', { name: 'Post', exact: true })
  await page.goto('/post')
  const release = await holdPictures(page)
  await page.locator('input[type=file]').setInputFiles([await pictureFile('one'), await pictureFile('two')])
  await send.click()
  await text.fill('Wait')
  await release()
  await expect(page.locator('.tile')).toHaveCount(2)
  await expect(page).toHaveURL('/post')

  await page.reload()
  const releaseThird = await holdPictures(page)
  await page.locator('input[type=file]').setInputFiles([await pictureFile('three')])
  await send.click()
  await releaseThird()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('article').first().locator('.picture')).toHaveCount(3)
})

test('a draft is called saved once its pictures are, survives reloads, also after admins lower the number of pictures, and can be discarded', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const text = page.getByLabel('Text of the post')
  const saved = page.getByText('Saved as a draft')
  const tiles = page.locator('.tile')
  const input = page.locator('input[type=file]')
  await page.goto('/post')
  const release = await holdPictures(page)
  await text.fill('Not yet')
  await expect(saved).toBeVisible()
  await input.setInputFiles([await pictureFile('one'), await pictureFile('two')])
  await expect(saved).toHaveCount(0)
  await release()
  await expect(saved).toBeVisible()
  await page.reload()
  await expect(text).toHaveValue('Not yet')
  await expect(tiles).toHaveCount(2)

  const send = page.getByRole('button', { name: 'Post', exact: true })
  for (const { limit, warning } of [
    { limit: 1, warning: 'Too many pictures: please remove 1 (limit 1).' },
    { limit: 0, warning: 'Pictures are turned off. Please remove them.' },
  ])
    await test.step(warning, async () => {
      await page.route('/post', async (route) => {
        const answer = await route.fetch()
        const html = await answer.text()
        await route.fulfill({ response: answer, body: html.replace('"app":{', `$&"maxPictures":${limit},`) })
      })
      await page.reload()
      await expect(tiles).toHaveCount(limit + 1)
      await expect(page.getByText(warning)).toBeVisible()
      await expect(send).toBeDisabled()
      await expect(input).toHaveCount(limit ? 1 : 0)
      await page.getByRole('button', { name: 'Remove picture 1' }).click()
      await expect(page.getByText(warning)).toHaveCount(0)
      await expect(send).toBeEnabled()
      await expect(saved).toBeVisible()
    })

  await page.unrouteAll()
  await page.reload()
  await input.setInputFiles([await pictureFile('three')])
  await expect(tiles).toHaveCount(1)
  await expect(saved).toBeVisible()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
  await expect(tiles).toHaveCount(0)
  await page.reload()
  await expect(text).toHaveValue('')
  await expect(tiles).toHaveCount(0)
})

// spec: 8.16
test('invalid posts cannot be sent, a failure keeps the input, and a post whose response was lost exists once', async ({
  member,
}) => {
  const { page, name } = await member('Ann')
  const text = page.getByLabel('Text of the post')
  const send = page.getByRole('button', { name: 'Post', exact: true })
  await page.goto('/post')
  await expect(send).toBeDisabled()
  await text.fill('あ'.repeat(5001))
  await expect(send).toBeDisabled()
  await text.fill('あ'.repeat(5000))
  await expect(send).toBeEnabled()
  await page.route('**/api/posts', (route) => route.abort(), { times: 1 })
  await send.click()
  await expect(page.locator('.notice.error')).toBeVisible()
  await expect(text).toHaveValue('あ'.repeat(5000))
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Post submitted successfully.' })).toBeVisible()
  await expect(page).toHaveURL('/')

  await page.getByRole('link', { name: 'New Post' }).first().click()
  await text.fill('Said once')
  await page.route(
    '**/api/posts',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await send.click()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page).toHaveURL('/')
  await expect(
    page.getByRole('article', { name: `Post by ${name}` }).filter({ hasText: 'Said once' }),
  ).toHaveCount(1)
})

test('a broken picture is refused at once; a large picture is reduced; a large animation is refused', async ({
  member,
}, info) => {
  const { page } = await member('Ann')
  await page.goto('/post')
  const input = page.locator('input[type=file]')
  const tiles = page.locator('.tile')
  const note = page.locator('.notice.warning')
  const whole = await pictureFile('whole')
  const broken = {
    ...(await pictureFile('broken')),
    buffer: Buffer.from('not a picture'),
  }
  await input.setInputFiles([broken, whole])
  await expect(note).toHaveText(
    '“broken.jpg” is damaged, or this browser cannot read it. Try to save it as JPEG.',
  )
  await expect(tiles).toHaveCount(1)

  // Makes a photo with sideways pixels and an EXIF orientation. Zeros after its end make it larger than 10
  // MB; decoders ignore bytes after the end of a JPEG.
  const { buffer } = await pictureFile('photo', { width: 600, height: 400 })
  const upright = await sharp(buffer).withMetadata({ orientation: 6 }).toBuffer()
  const photo = Buffer.concat([upright, Buffer.alloc(10 * 2 ** 20)])
  const gif = Buffer.concat([Buffer.from(tinyGif, 'base64'), Buffer.alloc(10 * 2 ** 20)])
  // Playwright passes files on disk faster than buffers.
  const paths = [info.outputPath('photo.jpg'), info.outputPath('dance.gif')]
  await writeFile(paths[0]!, photo)
  await writeFile(paths[1]!, gif)
  await input.setInputFiles(paths)
  await expect(note).toHaveText(
    '“dance.gif” is larger than 10 MB, and animated pictures cannot be made smaller here.',
  )
  await expect(tiles).toHaveCount(2)
  await page.getByLabel('Text of the post').fill('Noise')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByText('Post submitted successfully.')).toBeVisible()
  const [post] = await (await page.request.get('/api/posts?limit=1')).json()
  expect(post.images).toHaveLength(2)
  expect(post.images[1].height / post.images[1].width).toBeCloseTo(1.5, 2)
})

/** A GIF of one pixel, in base64. */
const tinyGif = 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='

test('Ctrl + Enter posts, Enter alone breaks the line; a member who leaves the page while a post is being sent finds it still being sent on return', async ({
  member,
}) => {
  const { page, name } = await member('Ann')
  const text = page.getByLabel('Text of the post')
  const posts = page.getByRole('article', { name: `Post by ${name}` })
  await page.goto('/post')
  await text.pressSequentially('one\ntwo')
  await page.keyboard.press('Control+Enter')
  await expect(posts.first().locator('.prose')).toHaveText('one\ntwo')

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/posts', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'New Post' }).first().click()
  await text.fill('Under way')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('link', { name: 'Search Users' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Users')
  await page.getByRole('link', { name: 'New Post' }).first().click()
  await expect(text).toHaveAttribute('readonly')
  await expect(page.getByRole('button', { name: 'Post', exact: true })).toHaveAttribute('aria-busy', 'true')
  release()
  await expect(page).toHaveURL('/')
  await expect(posts.filter({ hasText: 'Under way' })).toHaveCount(1)
  await page.unrouteAll()
  await page.goto('/post')
  await expect(text).toHaveValue('')
})
