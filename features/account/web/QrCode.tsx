import { useQuery } from '@tanstack/react-query'
import { LoadingText } from '#web/ui/LoadingText.tsx'

/** The empty border that readers need, in modules (ISO/IEC 18004). */
const BORDER = 4

/** The dark modules as an SVG path, and the width with the border in modules. */
async function drawQrCode(text: string) {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { path: path.join(''), size }
}

/** Loads its library when the first code is shown. Nothing if that fails. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, error } = useQuery({
    queryKey: ['QR code', text],
    queryFn: () => drawQrCode(text),
    staleTime: Number.POSITIVE_INFINITY,
    // Out of the cache at once, because its text is a secret.
    gcTime: 0,
  })
  if (error) return null
  if (!data) return <LoadingText />
  return (
    <svg className="qr-code" viewBox={`0 0 ${data.size} ${data.size}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="white" />
      <path d={data.path} fill="black" shapeRendering="crispEdges" />
    </svg>
  )
}
