import { join } from 'node:path'
import { type Config, OperatorError } from '#core/config.ts'
import { createFolderMediaStorage } from '#core/media/folder.ts'

type KeyName = 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN'
type StorageSettings = Pick<Config, 'DATA_DIR' | 'MEDIA_URL' | 'AWS_REGION'> & Partial<Pick<Config, KeyName>>

/**
 * Opens the bucket that MEDIA_URL names, or otherwise the folder DATA_DIR/media. Throws OperatorError if the
 * bucket cannot be reached.
 */
export async function openMediaStorage({ DATA_DIR, MEDIA_URL, ...aws }: StorageSettings) {
  if (!MEDIA_URL) return createFolderMediaStorage(join(DATA_DIR, 'media'), join(DATA_DIR, 'scratch'))
  // Loads the S3 SDK only for a bucket, because it has twenty packages and as many megabytes.
  const { createS3MediaStorage: s3Storage } = await import('#core/media/s3.ts')
  const storage = s3Storage(MEDIA_URL, { region: aws.AWS_REGION, credentials: keyOf(aws) })
  await storage.check().catch((error: Error) => {
    throw new OperatorError(
      'MEDIA_URL takes a bucket that lets itself be listed with the AWS variables that are set ' +
        `(${error.message}).`,
    )
  })
  return storage
}

/** Returns the key that the settings give; undefined if the SDK has to look for one itself. */
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
