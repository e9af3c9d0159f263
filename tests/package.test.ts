import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import axios from 'axios'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deep } from '#tests/deep.ts'
import { axiosFile, axiosForm, axiosMember, axiosVisitor, pictureBytes } from '#tests/sanctum.ts'
import { serverFolder } from '#tests/server.ts'

const root = join(import.meta.dirname, '..')
// The time limit of a hook or a test, in milliseconds: packing the package may build files first, and
// installing it may download Node.
const patience = 120_000
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const { pid } of children) process.kill(-pid!, 'SIGKILL')
})

/**
 * The value of the environment variable PATH: a folder that contains only Node, npm and a few usual system
 * programs.
 */
let PATH: string
let tarball: string
/** The path of the folder, empty at first, in which the test installs the package. */
let home: string

/** The environment variables with which npm reaches the package registry, as pairs of name and value. */
const way = Object.entries(process.env).filter(([name]) =>
  /^(home|node_extra_ca_certs|ssl_cert_\w+|\w*_proxy|npm_config_(cache|registry))$/i.test(name),
)
const env = () => ({
  ...Object.fromEntries(way),
  PATH,
  PORT: '0',
  LOG_LEVEL: 'warn',
  npm_config_loglevel: 'error',
})
const run = (cwd: string, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd, env: env(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

beforeAll(async () => {
  PATH = await serverFolder()
  const places = process.env.PATH!.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  for (const name of ['node', 'npm', 'npx', 'sh', 'dirname', 'readlink', 'rm']) {
    const folder = places.find((folder) => existsSync(join(folder, name)))
    if (folder) await symlink(join(folder, name), join(PATH, name))
  }
  const shelf = await serverFolder()
  tarball = join(
    shelf,
    run(root, 'npm', 'pack', '--silent', '--pack-destination', shelf).trim().split('\n').at(-1)!,
  )
  home = await serverFolder()
  run(home, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball)
}, patience)

/**
 * Returns the names of the files in a .tgz archive. In a tar file, each header of 512 bytes begins with the
 * name and contains the length of the file as an octal number.
 */
async function namesIn(path: string) {
  const tar = gunzipSync(await readFile(path))
  const names: string[] = []
  for (
    let at = 0;
    tar[at];
    at += 512 + 512 * Math.ceil(Number.parseInt(tar.toString('utf8', at + 124, at + 136), 8) / 512)
  )
    names.push(tar.toString('utf8', at, tar.indexOf(0, at)))
  return names
}

/**
 * Starts the installed server through a program such as npm, and resolves when the server is ready. `stop`
 * resolves to the exit code of the program when both the program and the server have ended.
 */
async function serve(cwd: string, program: string, ...args: string[]) {
  const child = spawn(program, args, { cwd, env: env(), stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  children.add(child)
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() =>
    children.delete(child),
  )
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (bytes: Buffer) => {
      said += bytes
      const ready = /^Engawa is ready at (http\S+)$/m.exec(said)
      if (ready) resolve(ready[1]!)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void gone.then((code) => reject(new Error(`It ended with ${code} before it was ready:\n${said}`)))
  })
  return {
    url,
    said: () => said,
    stop: () => {
      child.kill('SIGTERM')
      return gone
    },
  }
}

describe('the package', { timeout: patience }, () => {
  test('contains the runtime files, without sources, tests and demo', async () => {
    const names = await namesIn(tarball)
    expect(names).toEqual(
      expect.arrayContaining([
        'package/lib/bin/serve.js',
        'package/lib/dist/index.html',
        'package/bin/engawa',
        'package/LICENSE',
      ]),
    )
    expect(names.filter((name) => /\.tsx?$|\.test\.|\/tests\/|setup|demo/.test(name))).toEqual([])
    expect(existsSync(join(home, 'node_modules/react'))).toBe(false)
    expect(existsSync(join(home, 'node_modules/vite'))).toBe(false)
  })

  test('starts with one command in an empty folder, stores its data there, and stops when npm gets a signal', async () => {
    const folder = await serverFolder()
    // Only in the deep stage, npm installs the package a second time, for this one command.
    const server = deep
      ? await serve(folder, 'npm', 'exec', '--yes', '--prefer-offline', `file:${tarball}`)
      : await serve(folder, join(home, 'node_modules/.bin/engawa'))
    const page = await axios.get<string>(server.url)
    const script = /<script[^>]+src="([^"]+)"/.exec(page.data)![1]!
    expect((await axios.get(server.url + script)).headers['content-type']).toMatch(/javascript/)

    const ana = await axiosMember(server.url, 'Ana')
    const posted = await ana.http.post(
      '/api/posts',
      axiosForm({
        text: 'packed',
        'images[]': axiosFile(await pictureBytes(120, 80), 'a.png'),
      }),
    )
    expect(posted.status, JSON.stringify(posted.data)).toBe(201)
    expect((await axios.get(new URL(posted.data.post.images[0].path, server.url).href)).status).toBe(200)
    await server.stop()
    expect(existsSync(join(folder, 'data/engawa.db'))).toBe(true)

    const again = await serve(folder, join(home, 'node_modules/.bin/engawa'))
    expect((await axios.get(`${again.url}/api/posts`)).data[0].body).toBe('packed')
    expect((await axiosVisitor(again.url).logIn(ana.email)).status).toBe(204)
    expect(await again.stop(), again.said()).toBe(0)
  })

  test('starts by its name when it is installed, and the command line works beside it', async () => {
    const server = await serve(home, 'npm', 'exec', '-c', 'exec engawa')
    const ana = await axiosMember(server.url, 'Ana')
    expect(run(home, 'npx', 'engawa', 'admin', 'list')).toContain(ana.email)
    expect(await server.stop(), server.said()).toBe(0)
  })
})
