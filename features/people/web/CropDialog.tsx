import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { encodeCanvas } from '#web/ui/image-files.ts'
import { accountText } from './account-text.ts'

const MAX_SIDE = 1024
const MAX_ZOOM = 4

interface Props {
  url: string
  onClose: () => void
  onCropped: (picture: Blob) => void
}

export default function CropDialog({ url, onClose, onCropped }: Props) {
  const t = useText(accountText)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  const applyCrop = async () => {
    const picture = area && (await cropImage(url, area))
    if (picture) onCropped(picture)
  }
  return (
    <Dialog open onClose={onClose} title={t.cropTitle} className="crop">
      <p>{t.cropHelp}</p>
      <div className="crop-stage">
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={1}
          showGrid={false}
          keyboardStep={8}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
          onCropAreaChange={(_, pixels) => setArea(pixels)}
          cropperProps={{ role: 'application', 'aria-label': t.cropArea }}
          mediaProps={{ alt: '' }}
          disableAutomaticStylesInjection
        />
      </div>
      <label className="zoom">
        {t.zoom}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button kind="primary" onClick={applyCrop}>
          {t.applyCrop}
        </Button>
      </div>
    </Dialog>
  )
}

/** As WebP or JPEG. */
async function cropImage(url: string, { x, y, width, height }: Area): Promise<Blob | null> {
  const image = new Image()
  image.src = url
  await image.decode()
  const side = Math.max(1, Math.min(MAX_SIDE, Math.round(width)))
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = side
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, width, height, 0, 0, side, side)
  return encodeCanvas(canvas)
}
