import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OperatorError, readConfig, readEnvironment } from '#core/config.ts'
import { openStorage } from '#core/media/open-storage.ts'
import { createTestApp } from '#tests/harness.ts'
import { s3Credentials, startS3 } from '#tests/s3.ts'
import { serverFolder } from '#tests/server.ts'
import { variables } from './settings.ts'
import type { VariableDefinition } from './values.ts'

/** Writes a file with `content`, and returns its path. */
async function fileWith(content: string | Buffer) {
  const path = join(await serverFolder(), 'secret')
  await writeFile(path, content)
  return path
}

function refusalOf(env: Record<string, string>) {
  try {
    readEnvironment(env)
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError)
    return (error as Error).message
  }
  throw new Error(`accepted ${JSON.stringify(env)}`)
}

/** A good value of each secret setting. */
const secrets = {
  SETUP_CODE: 'open-sesame',
  DATABASE_URL: 'postgres://u:p@db/x',
  REDIS_URL: 'redis://:p@redis:6379',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'a/secret+key',
  AWS_SESSION_TOKEN: 'token==',
  SMTP_URL: 'smtp://u:p@mail.example',
  PUSHER_APP_SECRET: 'a secret of some length',
  WEBHOOK_URL: 'https://u:p@app.example/hooks',
  SECRET: 'a secret of more than thirty characters',
  AUDIT_LOG_KEY: 'a key of more than thirty characters, for the log',
  METRICS_TOKEN: 'a token of some length',
}

test('every secret setting is read from the file that NAME_FILE names, without the end of the line', async () => {
  const definitions = Object.entries<VariableDefinition>(variables)
  const named = definitions.filter(([name]) =>
    /SECRET|TOKEN|KEY_ID|LOG_KEY|CODE|(DATABASE|REDIS|SMTP|HOOK_?)_URL/.test(name),
  )
  const marked = definitions.filter(([, { isSecret }]) => isSecret).map(([name]) => name)
  expect(marked.sort()).toEqual(Object.keys(secrets).sort())
  expect(marked).toEqual(expect.arrayContaining(named.map(([name]) => name)))
  const paths = await Promise.all(
    Object.entries(secrets).map(async ([name, value]) => [`${name}_FILE`, await fileWith(`${value}\r\n`)]),
  )
  expect(readEnvironment(Object.fromEntries(paths))).toEqual(readEnvironment(secrets))
  const { SECRET, generatedSecrets } = readConfig({
    DATA_DIR: await serverFolder(),
    ...Object.fromEntries(paths),
  })
  expect(SECRET.toString()).toBe(secrets.SECRET)
  expect(generatedSecrets).toEqual(['PUSH_KEY'])
})

test.each(Object.entries(secrets))(
  '%s and its file are refused together, in one line',
  async (name, value) => {
    const file = await fileWith(value)
    expect(refusalOf({ [name]: value, [`${name}_FILE`]: file })).toBe(
      `${name} and ${name}_FILE are both set: one of them is enough.`,
    )
    // Compose passes variables that are not set as empty ones.
    const others = Object.fromEntries(Object.entries(secrets).filter(([other]) => other !== name))
    expect(readEnvironment({ ...others, [name]: '', [`${name}_FILE`]: file })).toEqual(
      readEnvironment({ ...secrets, [`${name}_FILE`]: ' ' }),
    )
  },
)

test('a file that is missing, empty, unreadable, large or not one line of text stops the start', async () => {
  const pipe = join(await serverFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const cases: [path: string, reason: RegExp][] = [
    ['/nowhere/secret', /cannot be read \(ENOENT\)/],
    [join(await fileWith(''), 'x'), /cannot be read \(ENOTDIR\)/],
    [await serverFolder(), /is not a regular file/],
    [pipe, /is not a regular file/],
    ['/dev/zero', /is not a regular file/],
    [await fileWith(''), /is empty/],
    [await fileWith(' \n\n'), /is empty/],
    [await fileWith('x'.repeat(8193)), /has more than 8192 bytes/],
    [await fileWith(`${secrets.SECRET}\nSMTP_URL=x`), /has several lines/],
    [await fileWith(Buffer.from([0x66, 0xff, 0x66])), /bytes that are not text/],
  ]
  for (const [path, reason] of cases) {
    const refusal = refusalOf({ SECRET_FILE: path })
    expect(refusal, path).toMatch(/^SECRET_FILE takes a file with one line of text: .+\.$/)
    expect(refusal).toMatch(reason)
    expect(refusal).not.toContain('\n')
  }
  expect(readEnvironment({ SECRET_FILE: await fileWith('x'.repeat(8192)) }).SECRET).toHaveLength(8192)
})

test('a bad value in a file is refused by the name of the variable, and is not shown', async () => {
  const refusal = refusalOf({ SMTP_URL_FILE: await fileWith('http://someone:hunter22@mail.example') })
  expect(refusal).toMatch(/^SMTP_URL_FILE takes smtp:.+\.$/)
  expect(refusal).not.toContain('hunter22')
})

test('the server uses a secret of a file', async () => {
  const { app } = await createTestApp({
    env: { METRICS_TOKEN_FILE: await fileWith(`${secrets.METRICS_TOKEN}\n`) },
  })
  const status = async (token: string) =>
    (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode
  expect(await status(secrets.METRICS_TOKEN)).toBe(200)
  expect(await status(`${secrets.METRICS_TOKEN}\n`)).not.toBe(200)
  expect(await status('another token of some length')).not.toBe(200)
})

test('the key of a bucket comes from the settings, and half a key is refused', async () => {
  const s3 = await startS3()
  onTestFinished(() => s3.stop())
  for (const name of Object.keys(s3Credentials)) process.env[name] = 'hunter22'
  onTestFinished(() => void Object.assign(process.env, s3Credentials))
  const folder = await serverFolder()
  const open = async (id: string) =>
    openStorage(
      readEnvironment({
        DATA_DIR: folder,
        MEDIA_URL: s3.mediaUrl,
        AWS_ACCESS_KEY_ID_FILE: await fileWith(id),
        AWS_SECRET_ACCESS_KEY_FILE: await fileWith(s3Credentials.AWS_SECRET_ACCESS_KEY),
      }),
    )
  await open(`${s3Credentials.AWS_ACCESS_KEY_ID}\n`)
  await expect(open('wrong')).rejects.toThrow(/^MEDIA_URL takes .*\(InvalidAccessKeyId\)\.$/)
  expect(refusalOf({ MEDIA_URL: s3.mediaUrl, AWS_ACCESS_KEY_ID: 'id' })).toMatch(/belong together/)
})
