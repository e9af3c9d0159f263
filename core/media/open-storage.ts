import { join } from 'node:path'
import { type Config, OperatorError } from '#core/config.ts'
import { folderStorage } from '#core/media/folder.ts'

type KeyName = 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN'
type StorageSettings = Pick<Config, 'DATA_DIR' | 'MEDIA_URL' | 'AWS_REGION'> & Partial<Pick<Config, KeyName>>

/** The bucket of MEDIA_URL, or DATA_DIR/media. OperatorError if the bucket cannot be reached. */
export async function openStorage({ DATA_DIR, MEDIA_URL, ...aws }: StorageSettings) {
  if (!MEDIA_URL) return folderStorage(join(DATA_DIR, 'media'), join(DATA_DIR, 'scratch'))
  // The S3 SDK has twenty packages and as many megabytes.
  const { s3Storage } = await import('#core/media/s3.ts')
  const storage = s3Storage(MEDIA_URL, { region: aws.AWS_REGION, credentials: keyOf(aws) })
  await storage.check().catch((error: Error) => {
    throw new OperatorError(
      'MEDIA_URL takes a bucket that lets itself be listed with the AWS variables that are set ' +
        `(${error.message}).`,
    )
  })
  return storage
}

/** Undefined if the SDK has to look for one itself. */
function keyOf({
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN,
}: Partial<Pick<Config, KeyName>>) {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
}
