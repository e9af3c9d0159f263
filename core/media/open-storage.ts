import { join } from 'node:path'
import { type Config, OperatorError } from '#core/config.ts'
import { createFolderMediaStorage } from '#core/media/folder.ts'

/**
 * Opens the bucket that MEDIA_URL names, or otherwise the folder DATA_DIR/media. Throws OperatorError if the
 * bucket cannot be reached.
 */
export async function openMediaStorage({
  DATA_DIR,
  MEDIA_URL,
  AWS_REGION,
}: Pick<Config, 'DATA_DIR' | 'MEDIA_URL' | 'AWS_REGION'>) {
  if (!MEDIA_URL) return createFolderMediaStorage(join(DATA_DIR, 'media'), join(DATA_DIR, 'scratch'))
  // Loads the S3 SDK only for a bucket, because it has twenty packages and as many megabytes.
  const { createS3MediaStorage: s3Storage } = await import('#core/media/s3.ts')
  const storage = s3Storage(MEDIA_URL, { region: AWS_REGION })
  await storage.check().catch((error: Error) => {
    throw new OperatorError(
      'MEDIA_URL takes a bucket that lets itself be listed with the AWS variables that are set ' +
        `(${error.message}).`,
    )
  })
  return storage
}
