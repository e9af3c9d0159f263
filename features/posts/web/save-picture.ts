import { canShare, share } from '#web/share.ts'
import type { AttachedImage } from '../contract.ts'

const QUALITY = 0.92

/**
 * Offers the picture in the share sheet, from which phones save it to their photos, or downloads it. A still
 * picture is saved as JPEG, which every app opens.
 */
export async function savePicture({ full, animated }: AttachedImage) {
  const response = await fetch(full)
  if (!response.ok) throw new Error(`The picture answered with ${response.status}`)
  const stored = await response.blob()
  const blob = animated ? stored : await toJpeg(stored)
  const name = `picture.${blob.type.split('/')[1]?.replace('jpeg', 'jpg')}`
  const files = [new File([blob], name, { type: blob.type })]
  const isPhone = canShare && matchMedia('(pointer: coarse)').matches
  // A slow picture may come too long after the touch for the sheet to open.
  if (isPhone && navigator.canShare({ files })) await share({ files }).catch(() => download(blob, name))
  else download(blob, name)
}

function download(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

async function toJpeg(picture: Blob) {
  const bitmap = await createImageBitmap(picture)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d')!
  // JPEG has no transparent pixels; without this they are black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, bitmap.width, bitmap.height)
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
}
