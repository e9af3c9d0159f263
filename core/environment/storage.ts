import { resolve } from 'node:path'
import * as v from 'valibot'
import { address, addresses, isBucket, type VariableDefinition, word } from './values.ts'

/** Where everything is stored, and how much of it (see settings.ts). */
export const storage = {
  DATA_DIR: {
    description: 'The folder for all data that the server stores.',
    takes: 'a folder',
    schema: v.pipe(v.string(), v.transform(resolve)),
    standard: './data',
  },
  DATABASE_URL: {
    description:
      'The database, PostgreSQL 15 or newer with the encoding UTF8: `postgres://user:password@host:port/database`.',
    takes: 'postgres://user:password@host:port/database',
    schema: v.optional(address(['postgres:', 'postgresql:'])),
    unset: 'SQLite in `DATA_DIR`',
    isSecret: true,
  },
  REDIS_URL: {
    description:
      'Connects several processes through Redis 7 or newer, or Valkey: `redis://user:password@host:port` (`rediss://` for TLS; separate the nodes of a cluster by commas). Needs `DATABASE_URL`.',
    takes: 'redis://user:password@host:port (or rediss://…), several nodes of a cluster separated by commas',
    schema: v.optional(addresses(['redis:', 'rediss:'])),
    unset: 'one process',
    isSecret: true,
  },
  MEDIA_URL: {
    description: 'The S3 bucket for pictures and files: `s3://bucket/prefix?endpoint=https://…&region=…`.',
    takes: 's3://bucket/prefix?endpoint=https://…&region=…',
    schema: v.optional(v.pipe(v.string(), v.check(isBucket))),
    unset: '`DATA_DIR/media`',
  },
  MAX_FILE_MB: {
    description:
      'The maximum size of a file in a message, in MB: documents, audio and zip files, but not pictures. `0` turns files and videos off.',
    takes: 'a number of MB from 0 to 100',
    schema: v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.maxValue(100)),
    standard: '25',
  },
  MAX_VIDEO_MB: {
    description:
      'The maximum size of a video in a post, reply or message, in MB. A message may have one such video, four files of `MAX_FILE_MB`, and 46 MB of pictures and previews, so a proxy must accept that much. `0` turns videos off.',
    takes: 'a number of MB from 0 to 1000',
    schema: v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.maxValue(1000)),
    standard: '100',
  },
  MIN_FREE_MB: {
    description:
      'How much of the disk of `DATA_DIR` is kept for texts, log-ins and admins, in MB: with less (or less than 5 %) free, pictures, files and archives are refused with 507. A sixteenth of it is the file `reserve`, which the server deletes if the disk fills up nevertheless. `0` keeps nothing.',
    takes: 'a number of MB from 0 to 999999',
    schema: v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number)),
    standard: '2000',
  },
  AWS_ACCESS_KEY_ID: {
    description:
      'The id of the key for the bucket. Without it, the server looks for credentials as the tools of AWS do: in a profile, or in the role of the machine.',
    takes: 'the id of the key for the bucket',
    schema: v.optional(v.string()),
    unset: 'the credentials of the machine',
    isSecret: true,
  },
  AWS_SECRET_ACCESS_KEY: {
    description: 'The secret of the key `AWS_ACCESS_KEY_ID`.',
    takes: 'the secret of the key for the bucket',
    schema: v.optional(v.string()),
    unset: 'the credentials of the machine',
    isSecret: true,
  },
  AWS_SESSION_TOKEN: {
    description: 'The token that belongs to a temporary key.',
    takes: 'the token of a temporary key for the bucket',
    schema: v.optional(v.string()),
    unset: 'none',
    isSecret: true,
  },
  AWS_REGION: {
    description: 'The region of the bucket, if `MEDIA_URL` does not name one.',
    takes: 'a region such as eu-central-1',
    schema: v.optional(word),
    unset: '`us-east-1` if `MEDIA_URL` has an endpoint',
  },
} as const satisfies Record<string, VariableDefinition>
