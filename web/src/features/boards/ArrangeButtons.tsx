// Moves or removes a tile. When the tile moves, the pressed button keeps the focus.
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Board } from './api.ts';
import css from './boards.module.css';

export function ArrangeButtons(props: {
  tiles: Board['tiles'];
  index: number;
  onChange: (tiles: Board['tiles']) => void;
}) {
  const { tiles, index, onChange } = props;
  const pressedButtonRef = useRef<HTMLButtonElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving the tile removes the focus
  useEffect(() => {
    pressedButtonRef.current?.focus();
    pressedButtonRef.current = null;
  }, [index]);
  const tile = tiles[index]!;
  const move = (step: number) => (event: React.MouseEvent<HTMLButtonElement>) => {
    if (!tiles[index + step]) return;
    pressedButtonRef.current = event.currentTarget;
    const otherTiles = tiles.filter((item) => item !== tile);
    onChange([...otherTiles.slice(0, index + step), tile, ...otherTiles.slice(index + step)]);
  };
  const buttonProps = { size: 'compact-xs', variant: 'default' } as const;
  const tilesWithNewWidth = tiles.map((item) => (item === tile ? { ...item, wide: !item.wide } : item));
  return (
    <fieldset className={css.arranging} aria-label={`Tile ${index + 1}`}>
      <Button {...buttonProps} aria-disabled={index === 0} onClick={move(-1)}>
        Move toward the start
      </Button>
      <Button {...buttonProps} aria-disabled={index === tiles.length - 1} onClick={move(1)}>
        Move toward the end
      </Button>
      <Button {...buttonProps} onClick={() => onChange(tilesWithNewWidth)}>
        {tile.wide ? 'Half width' : 'Full width'}
      </Button>
      <Button {...buttonProps} onClick={() => onChange(tiles.filter((item) => item !== tile))}>
        Remove
      </Button>
    </fieldset>
  );
}
