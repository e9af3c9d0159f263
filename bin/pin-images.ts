import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

// `npm run pin` writes the digest of each container image behind its tag, in the Dockerfile, the compose
// files and the workflows of this folder: `caddy:2.10.2-alpine@sha256:…`. It asks the registries, through
// Docker. Without a digest for every image, it changes nothing.

const files = [
  'Dockerfile',
  'compose.yaml',
  'compose.many.yaml',
  '.github/workflows/ci.yml',
  '.github/workflows/release.yml',
]
/**
 * Matches an image with its tag, and its digest if it has one. The image that this repository builds has
 * none.
 */
const pattern =
  /(?<=^FROM (?:--platform=\S+ )?|^ *(?:image|container): (?!engawa:)|docker run [^\n]*? )([\w./-]+:[\w.-]*\d[\w.-]*)(@sha256:[\da-f]{64})?/gm

function readDigest(image: string) {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{ .Manifest.Digest }}']
  const digest = execFileSync('docker', args, { encoding: 'utf8' }).trim()
  if (!/^sha256:[\da-f]{64}$/.test(digest)) throw new Error(`Docker names no digest of ${image}: ${digest}`)
  return digest
}

const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const)
const images = new Set(texts.flatMap(([, text]) => [...text.matchAll(pattern)].map(([, image]) => image!)))
const digests = new Map([...images].map((image) => [image, readDigest(image)]))
for (const [file, text] of texts)
  writeFileSync(
    file,
    text.replace(pattern, (_, image: string) => `${image}@${digests.get(image)}`),
  )
for (const [image, digest] of digests) process.stdout.write(`${image} is ${digest}\n`)
