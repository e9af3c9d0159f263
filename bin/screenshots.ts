import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import sharp from 'sharp'
import { pageDefinitions } from '#app.ts'
import { OperatorError } from '#core/config.ts'
import { exitWithError } from '#main.ts'
import type { ScreenshotDefinition, ScreenshotUserName } from './screenshot-actions.ts'
import {
  allScreenshotVariants,
  logInCookies,
  openEmptyScreenshotTab,
  type ScreenshotVariant,
  type ShotContext,
  waitUntilPageSettled,
  withDemoBrowser,
} from './screenshot-browser.ts'
import { screenshotsFolder, variantName, writeScreenshotGrid } from './screenshot-grid.ts'
import { screenshotDefinitions } from './screenshot-list.ts'

const forReadme: { file: string; shot: string; look: ScreenshotVariant }[] = [
  { file: 'home', shot: 'home', look: { width: 1440, theme: 'light', lang: 'en' } },
  { file: 'chat', shot: 'private-chat-ja', look: { width: 390, theme: 'dark', lang: 'ja', scale: 2 } },
]

const docs = join(import.meta.dirname, '../docs')

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path.replace(/[?#].*/, ''))
const withoutPicture = () =>
  pageDefinitions.filter((page) => !screenshotDefinitions.some(({ path }) => matches(page.path, path)))

const usage = `Usage: npm run shots -- [name …] [--width 390|820|1440] [--theme light|dark] [--lang en|ja] [--full]
       npm run shots -- readme
Names: ${screenshotDefinitions.map(({ name }) => name).join(' ')}`

function readArguments() {
  const options = {
    width: { type: 'string' },
    theme: { type: 'string' },
    lang: { type: 'string' },
    full: { type: 'boolean' },
  } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const fits = ({ width, theme, lang }: ScreenshotVariant) =>
      (values.width ?? `${width}`) === `${width}` &&
      (values.theme ?? theme) === theme &&
      (values.lang ?? lang) === lang
    const readme = positionals[0] === 'readme' && positionals.length === 1
    const unknown = readme
      ? undefined
      : positionals.find((name) => !screenshotDefinitions.some((shot) => shot.name === name))
    if (unknown) throw new Error(`There is no picture called ${unknown}.`)
    const chosen = screenshotDefinitions.filter(
      ({ name }) => !positionals.length || positionals.includes(name),
    )
    const wanted = allScreenshotVariants.filter(fits)
    if (!wanted.length) throw new Error('There is no such width, theme or language.')
    return { readme, chosen, wanted, full: values.full ?? false }
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`)
  }
}

async function main() {
  const { readme, chosen, wanted, full } = readArguments()
  const missing = withoutPicture().map(({ path }) => path)
  if (missing.length)
    throw new OperatorError(
      `bin/screenshot-list.ts has no picture of ${missing.join(', ')}: add a line to it.`,
    )
  const faults = await withDemoBrowser(async (session) => {
    if (readme) return takeForReadme(session)
    mkdirSync(screenshotsFolder, { recursive: true })
    const limit = pLimit(2)
    const taken = wanted.map((look) =>
      limit(async () => {
        const failed = await take(session, chosen, look, full, ({ name }, bytes) =>
          writeFileSync(join(screenshotsFolder, `${variantName(name, look)}.png`), bytes),
        )
        await writeScreenshotGrid(look)
        console.log(`shots/${variantName('sheet', look)}.webp`)
        return failed
      }),
    )
    return (await Promise.all(taken)).flat()
  })
  for (const fault of faults) console.error(fault)
  if (faults.length) process.exitCode = 1
}

async function takeForReadme(session: ShotContext) {
  const faults: string[] = []
  for (const { file, shot, look } of forReadme) {
    const only = screenshotDefinitions.filter(({ name }) => name === shot)
    const failed = await take(session, only, look, false, async (_, bytes) => {
      const { size } = await sharp(bytes)
        .webp({ quality: 84 })
        .toFile(join(docs, `${file}.webp`))
      console.log(`docs/${file}.webp, ${size.toLocaleString('en')} bytes`)
    })
    faults.push(...failed)
  }
  return faults
}

type Keep = (shot: ScreenshotDefinition, bytes: Buffer) => unknown

async function take(
  session: ShotContext,
  chosen: readonly ScreenshotDefinition[],
  look: ScreenshotVariant,
  full: boolean,
  keep: Keep,
) {
  const windows = new Map<ScreenshotUserName, Awaited<ReturnType<typeof openEmptyScreenshotTab>>>()
  const faults: string[] = []
  for (const shot of chosen) {
    const { name, path, who, act, from = 0, to = Number.POSITIVE_INFINITY, ends } = shot
    if (look.width < from || look.width > to) continue
    const own = ends ? new Map([[who, await logInCookies(session, who)]]) : null
    const window = own
      ? await openEmptyScreenshotTab({ ...session, cookies: own }, who, look)
      : (windows.get(who) ?? (await openEmptyScreenshotTab(session, who, look)))
    if (!own) windows.set(who, window)
    const { page, forget, quiet } = window
    try {
      forget()
      await page.goto(path.replace(':pottery', `${session.pottery}`))
      await page.locator('h1').first().waitFor()
      await quiet()
      await act?.(page)
      await waitUntilPageSettled(page)
      await keep(shot, await page.screenshot({ fullPage: full, animations: 'disabled', caret: 'hide' }))
    } catch (error) {
      faults.push(`${variantName(name, look)}: ${(error as Error).message.split('\n')[0]}`)
    }
    if (own) await window.close()
    // Deletes the drafts that the step before the screenshot left, so that the next screenshot does not show
    // them.
    else if (act) await page.evaluate(() => localStorage.clear())
  }
  for (const { close } of windows.values()) await close()
  return faults
}

if (import.meta.main)
  try {
    await main()
  } catch (error) {
    exitWithError(error)
  }
