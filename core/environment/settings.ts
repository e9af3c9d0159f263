import { resolve } from 'node:path'
import * as v from 'valibot'
import { foldAddress } from '#core/text/addresses.ts'
import { storage } from './storage.ts'
import {
  address,
  isProxy,
  list,
  onOff,
  origin,
  port,
  sender,
  timeOfDay,
  type VariableDefinition,
  word,
} from './values.ts'

// This file and storage.ts list all environment variables. core/config.ts reads them by this list. `npm run generate`
// writes .env.example and the tables in docs/self-hosting.md from it.

const network = {
  PORT: {
    description: 'The port that the server listens on. `0` picks a free one.',
    takes: 'a port from 0 to 65535',
    schema: port,
    standard: '3000',
  },
  HOST: {
    description: 'The address that the server listens on. `0.0.0.0` means all addresses of the machine.',
    takes: 'an address to listen on, such as 127.0.0.1 or 0.0.0.0',
    schema: v.string(),
    standard: '127.0.0.1',
  },
  PUBLIC_URL: {
    description:
      'The address of the site for its users, such as `https://town.example`. Links in mails begin with it.',
    takes: 'the address that people use, without a path, such as https://town.example',
    schema: v.optional(origin),
    unset: '`http://localhost:PORT`, for links',
  },
  TRUST_PROXY: {
    description: 'The addresses of proxies whose `X-Forwarded-For` header is trusted, separated by commas.',
    takes:
      'off, or the addresses of proxies (such as 127.0.0.1 or 10.0.0.0/8), separated by commas, but no network wider than /8 (/16 with IPv6): everybody in it could claim any address',
    schema: v.pipe(
      list,
      v.transform((given) => (given.length === 1 && given[0] === 'off' ? [] : given)),
      v.array(v.pipe(v.string(), v.check(isProxy))),
    ),
    standard: 'off',
  },
  ALLOWED_ORIGINS: {
    description: 'Other origins whose pages may call the API with cookies, separated by commas.',
    takes: 'origins such as https://app.example, separated by commas',
    schema: v.pipe(list, v.array(origin)),
    standard: '',
  },
  COOKIE_DOMAIN: {
    description:
      'The domain of the cookies, such as `town.example`. `PUBLIC_URL` must be in it. Pages on its other subdomains can then read the anti-forgery token; name them in `ALLOWED_ORIGINS` too.',
    takes: 'a domain that PUBLIC_URL is part of, such as town.example',
    schema: v.optional(v.pipe(v.string(), v.toLowerCase(), v.regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)+$/))),
    unset: 'only the host of the page',
  },
  RATE_LIMIT: {
    description: '`off` removes the rate limits. Use it only for load tests.',
    takes: 'on or off',
    schema: onOff,
    standard: 'on',
  },
} as const satisfies Record<string, VariableDefinition>

const community = {
  APP_NAME: {
    description: 'The name of the community. It is shown in titles, in mails and in the footer.',
    takes: 'a name of 1 to 60 characters',
    schema: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)),
    standard: 'Engawa',
  },
  ADMIN_EMAIL: {
    description:
      'E-mail addresses, separated by commas. Their accounts become admins when the link of the mail is opened in a session of the account, or after a password was chosen by mail.',
    takes: 'e-mail addresses, separated by commas',
    schema: v.pipe(list, v.array(v.pipe(v.string(), v.transform(foldAddress), v.email()))),
    standard: '',
  },
  SETUP_CODE: {
    description:
      'The code that makes the first admin on a server that is not local. At least 8 letters, digits, `-` and `_`.',
    takes: 'a code of at least 8 letters, digits, - and _',
    schema: v.optional(v.pipe(word, v.minLength(8))),
    unset: 'random; the start prints it',
    isSecret: true,
  },
  SEARCH_ENGINES: {
    description: '`off` asks search engines not to list any page of the site (`noindex` in every answer).',
    takes: 'on or off',
    schema: onOff,
    standard: 'on',
  },
  NEW_POSTS_UP_TO: {
    description:
      'In a community of up to this many members, each of them is told in the app of every new post, until the member chooses otherwise. In a larger one, members are told only of the posts that they have chosen. `0` does so in every community.',
    takes: 'a number of members from 0 to 99999',
    schema: v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number)),
    standard: '50',
  },
  DEMO: {
    description:
      '`off` removes the shop sample (`/products/…`, `/cart`), the public chat at `/chat` and the test page `/user`. Stored carts are kept. With `on`, admins decide at `/admin/settings` whether these pages exist; the set-up page suggests none. Children do not get the public chat.',
    takes: 'on or off',
    schema: onOff,
    standard: 'on',
  },
} as const satisfies Record<string, VariableDefinition>

const backup = {
  BACKUP_AT: {
    description: 'The time of the nightly backup (`HH:MM`), in the time zone of the machine.',
    takes: 'off, or a time of day such as 03:30',
    schema: v.union([v.literal('off'), timeOfDay]),
    standard: 'off',
  },
  BACKUP_DIR: {
    description: 'The folder for backups. A different disk is safer.',
    takes: 'a folder',
    schema: v.optional(v.pipe(v.string(), v.transform(resolve))),
    unset: '`DATA_DIR/backups`',
  },
  BACKUP_KEEP: {
    description:
      'How many nightly backups are kept. Older ones are deleted. Backups that you made by hand are never deleted.',
    takes: 'a number from 1 to 9999',
    schema: v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/), v.transform(Number)),
    standard: '7',
  },
} as const satisfies Record<string, VariableDefinition>

const mail = {
  SMTP_URL: {
    description:
      'The mail server: `smtp://user:password@host:port`, or `smtps://`. A server on another machine must offer TLS, unless the address ends with `?requireTLS=false`.',
    takes: 'smtp://user:password@host:port or smtps://…',
    schema: v.optional(address(['smtp:', 'smtps:'])),
    unset: 'files in `DATA_DIR/mail`',
    isSecret: true,
  },
  MAIL_FROM: {
    description: 'The sender of mails: an address, or `Name <address>`.',
    takes: 'an e-mail address, also as Name <address>',
    schema: sender,
    standard: 'engawa@localhost',
  },
} as const satisfies Record<string, VariableDefinition>

const realtime = {
  PUSHER_APP_ID: {
    description: 'The Pusher application id, for servers that publish through the Pusher HTTP API.',
    takes: 'letters, digits, - and _',
    schema: word,
    standard: 'engawa',
  },
  PUSHER_APP_KEY: {
    description: 'The Pusher application key, for clients that use the Pusher protocol.',
    takes: 'letters, digits, - and _',
    schema: word,
    standard: 'engawa',
  },
  PUSHER_APP_SECRET: {
    description:
      'The key that signs subscriptions, webhooks and calls of the Pusher HTTP API. A person who has it can read and send every event. At least 16 characters.',
    takes: 'a secret of at least 16 characters',
    schema: v.optional(v.pipe(v.string(), v.minLength(16))),
    unset: 'random, in `DATA_DIR/pusher-secret`',
    isSecret: true,
  },
  WEBHOOK_URL: {
    description:
      'The address that receives Pusher webhooks about channels, members and client events. See docs/realtime.md.',
    takes: 'an address such as https://app.example/webhooks',
    schema: v.optional(address(['http:', 'https:'])),
    unset: 'no webhooks',
    isSecret: true,
  },
  PUSH_LOCAL_SERVICE: {
    description:
      'The origin of a push service in the own network, such as `http://10.0.0.5:8080`, to which the server may also send. All other push services need `https` and a public address.',
    takes: 'the origin of a push service, such as http://10.0.0.5:8080',
    schema: v.optional(origin),
    unset: 'only public push services',
  },
} as const satisfies Record<string, VariableDefinition>

const operation = {
  SECRET: {
    description:
      'The key that signs anti-forgery tokens and links in mails, and that encrypts the secrets of authenticator apps. At least 32 characters. To change it, see “Keys” in docs/self-hosting.md.',
    takes: 'a secret of at least 32 characters',
    schema: v.optional(v.pipe(v.string(), v.minLength(32))),
    unset: 'random, in `DATA_DIR/secret`',
    isSecret: true,
  },
  AUDIT_LOG_KEY: {
    description:
      'The key that seals the log of what admins did. At least 32 characters. Processes with folders of their own need the same one.',
    takes: 'a secret of at least 32 characters',
    schema: v.optional(v.pipe(v.string(), v.minLength(32))),
    isSecret: true,
    unset: 'made from `SECRET` if that is set, else random, in `DATA_DIR/audit-log-key`',
  },
  METRICS_TOKEN: {
    description: 'The bearer token for `/metrics`. At least 16 characters.',
    takes: 'a secret of at least 16 characters',
    schema: v.optional(v.pipe(v.string(), v.minLength(16))),
    unset: 'no metrics',
    isSecret: true,
  },
  LOG_LEVEL: {
    description:
      'The lowest level that is logged. The log is lines of JSON on stdout, with one line for each request.',
    takes: 'trace, debug, info, warn, error, fatal or silent',
    schema: v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    standard: 'info',
  },
} as const satisfies Record<string, VariableDefinition>

/** All environment variables, by the titles of their groups in the documentation. */
export const variableGroups = {
  Network: network,
  Community: community,
  Storage: storage,
  Backups: backup,
  Mail: mail,
  'Real time': realtime,
  'Secrets and operation': operation,
} satisfies Record<string, Record<string, VariableDefinition>>

export const variables = {
  ...network,
  ...community,
  ...storage,
  ...backup,
  ...mail,
  ...realtime,
  ...operation,
}
