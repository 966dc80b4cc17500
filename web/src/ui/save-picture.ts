// The browser draws the PNG from an SVG that contains a copy of the element and the page's styles.
import { saveFile } from './save-file.ts';

const PICTURE_SCALE = 2; // the scale that makes the image sharp on high-density screens and on paper
const PADDING_PX = 24;
const CONTROL_SELECTOR = 'button, input, [role="radiogroup"]';

/** Rejects if the browser doesn't let the page read the image. */
export async function savePicture(name: string, title: string, element: HTMLElement): Promise<void> {
  const heading = document.createElement('h1');
  heading.textContent = title;
  heading.style.marginBottom = '1rem';
  const copy = document.createElement('div');
  copy.append(heading, element.cloneNode(true));
  for (const control of copy.querySelectorAll(CONTROL_SELECTOR)) control.remove();
  const { font, color, backgroundColor } = getComputedStyle(document.body);
  const width = element.offsetWidth + 2 * PADDING_PX;
  Object.assign(copy.style, { font, color, boxSizing: 'border-box', width: `${width}px`, padding: `${PADDING_PX}px` });
  const height = measureHeight(copy);
  const canvas = document.createElement('canvas');
  canvas.width = width * PICTURE_SCALE;
  canvas.height = height * PICTURE_SCALE;
  const canvasContext = canvas.getContext('2d')!;
  canvasContext.fillStyle = backgroundColor;
  canvasContext.fillRect(0, 0, canvas.width, canvas.height);
  canvasContext.drawImage(await renderImage(copy, width, height), 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This board is too large for one image. Print it instead.');
  saveFile(name, blob, 'image/png');
}

/**
 * Measures the copy of an element for the picture. The copy lacks the controls, so it can be shorter than the element.
 */
function measureHeight(copy: HTMLElement): number {
  const hiddenContainer = document.createElement('div');
  Object.assign(hiddenContainer.style, { position: 'absolute', visibility: 'hidden', top: '0', left: '0' });
  hiddenContainer.append(copy);
  document.body.append(hiddenContainer);
  const height = copy.offsetHeight;
  hiddenContainer.remove();
  return height;
}

async function renderImage(copy: HTMLElement, width: number, height: number): Promise<HTMLImageElement> {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  // The page's styles refer to its root element, so the image's root has the same attributes.
  for (const { name, value } of document.documentElement.attributes) svg.setAttribute(name, value);
  svg.setAttribute('width', String(width * PICTURE_SCALE));
  svg.setAttribute('height', String(height * PICTURE_SCALE));
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const foreignObject = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
  foreignObject.setAttribute('width', String(width));
  foreignObject.setAttribute('height', String(height));
  const style = document.createElement('style');
  style.textContent = [...document.styleSheets, ...document.adoptedStyleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
    .join('\n');
  foreignObject.append(style, copy);
  svg.append(foreignObject);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  return image;
}
