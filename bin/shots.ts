import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import sharp from 'sharp'
import { pages } from '#app.ts'
import { BadSetting } from '#core/config.ts'
import { explain } from '#main.ts'
import { type Look, logIn, looks, type Session, settled, windowOf, withDemo } from './shot-browser.ts'
import { type Shot, shots, type Who } from './shot-list.ts'
import { fileOf, folder, laySheet } from './shot-sheet.ts'

const forReadme: { file: string; shot: string; look: Look }[] = [
  { file: 'home', shot: 'home', look: { width: 1440, theme: 'light', lang: 'en' } },
  { file: 'chat', shot: 'private-chat-ja', look: { width: 390, theme: 'dark', lang: 'ja', scale: 2 } },
]

const docs = join(import.meta.dirname, '../docs')

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
const withoutPicture = () => pages.filter((page) => !shots.some(({ path }) => matches(page.path, path)))

const usage = `Usage: npm run shots -- [name …] [--width 390|820|1440] [--theme light|dark] [--lang en|ja] [--full]
       npm run shots -- readme
Names: ${shots.map(({ name }) => name).join(' ')}`

function readArguments() {
  const options = {
    width: { type: 'string' },
    theme: { type: 'string' },
    lang: { type: 'string' },
    full: { type: 'boolean' },
  } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const fits = ({ width, theme, lang }: Look) =>
      (values.width ?? `${width}`) === `${width}` &&
      (values.theme ?? theme) === theme &&
      (values.lang ?? lang) === lang
    const readme = positionals[0] === 'readme' && positionals.length === 1
    const unknown = readme ? undefined : positionals.find((name) => !shots.some((shot) => shot.name === name))
    if (unknown) throw new Error(`There is no picture called ${unknown}.`)
    const chosen = shots.filter(({ name }) => !positionals.length || positionals.includes(name))
    const wanted = looks.filter(fits)
    if (!wanted.length) throw new Error('There is no such width, theme or language.')
    return { readme, chosen, wanted, full: values.full ?? false }
  } catch (error) {
    throw new BadSetting(`${(error as Error).message}\n${usage}`)
  }
}

async function main() {
  const { readme, chosen, wanted, full } = readArguments()
  const missing = withoutPicture().map(({ path }) => path)
  if (missing.length)
    throw new BadSetting(`bin/shot-list.ts has no picture of ${missing.join(', ')}: add a line to it.`)
  const faults = await withDemo(async (session) => {
    if (readme) return takeForReadme(session)
    mkdirSync(folder, { recursive: true })
    const limit = pLimit(2)
    const taken = wanted.map((look) =>
      limit(async () => {
        const failed = await take(session, chosen, look, full, ({ name }, bytes) =>
          writeFileSync(join(folder, `${fileOf(name, look)}.png`), bytes),
        )
        await laySheet(look)
        console.log(`shots/${fileOf('sheet', look)}.webp`)
        return failed
      }),
    )
    return (await Promise.all(taken)).flat()
  })
  for (const fault of faults) console.error(fault)
  if (faults.length) process.exitCode = 1
}

async function takeForReadme(session: Session) {
  const faults: string[] = []
  for (const { file, shot, look } of forReadme) {
    const only = shots.filter(({ name }) => name === shot)
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

type Keep = (shot: Shot, bytes: Buffer) => unknown

async function take(session: Session, chosen: readonly Shot[], look: Look, full: boolean, keep: Keep) {
  const windows = new Map<Who, Awaited<ReturnType<typeof windowOf>>>()
  const faults: string[] = []
  for (const shot of chosen) {
    const { name, path, who, act, from = 0, to = Number.POSITIVE_INFINITY, ends } = shot
    if (look.width < from || look.width > to) continue
    const own = ends ? new Map([[who, await logIn(session, who)]]) : null
    const window = own
      ? await windowOf({ ...session, cookies: own }, who, look)
      : (windows.get(who) ?? (await windowOf(session, who, look)))
    if (!own) windows.set(who, window)
    const { page, forget, quiet } = window
    try {
      forget()
      await page.goto(path.replace(':pottery', `${session.pottery}`))
      await page.locator('h1').first().waitFor()
      await quiet()
      await act?.(page)
      await settled(page)
      await keep(shot, await page.screenshot({ fullPage: full, animations: 'disabled', caret: 'hide' }))
    } catch (error) {
      faults.push(`${fileOf(name, look)}: ${(error as Error).message.split('\n')[0]}`)
    }
    if (own) await window.close()
    // Deletes drafts, so that the next screenshot does not show them.
    else if (act) await page.evaluate(() => localStorage.clear())
  }
  for (const { close } of windows.values()) await close()
  return faults
}

if (import.meta.main)
  try {
    await main()
  } catch (error) {
    explain(error)
  }
